// Loops on a GPU, before LLVM unrolls and strength-reduces them.
//
// An index of 32 bits that is extended to address memory becomes one of 64 bits, from which
// pointers are made that move on.  LLVM leaves it alone since sums of 64 bits take two instructions
// there; but each iteration extends, multiplies and adds then, which takes more.
//
// A loop in another one that is known to run a few times becomes straight code if that is not long,
// up to twice as long as LLVM's own limit (code that runs once would not be worth fetching); one
// that indexes a private array however long it is: the array becomes registers, which have no
// address.  So does one whose iterations load much of what others of them have loaded (a filter's
// column in local memory): its copies load each place once.
//
// A loop that loads, of which it takes a division to tell how often it runs, does four iterations
// in a row: a division takes less time than what is loaded takes to come, and several come at once.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/SimplifyIndVar.h>

#include <set>
#include <tuple>

#include "compiler/analysis/cost_table.h"
#include "compiler/analysis/ir.h"
#include "loops.h"

using namespace llvm;

namespace {
enum {
  DEEPEST = 4,
  MOST_INSTRUCTIONS = 2400,
  MOST_ORDINARY = 640, /* of a loop without an array */
  LARGEST_ARRAY = 512, /* bytes */
};

bool isAddress(const Value *v) {
  return any_of(v->users(), [](const User *user) { return isa<GetElementPtrInst>(user); });
}

// How what is computed of `v` in the loop is extended to be an address, if it is.
const CastInst *extensionOf(const Value *v, const Loop &loop, unsigned depth) {
  for (const User *user : v->users()) {
    auto *i = dyn_cast<Instruction>(user);
    if (!i || !loop.contains(i)) continue;
    if ((isa<SExtInst>(i) || isa<ZExtInst>(i)) && i->getType()->isIntegerTy(64) && isAddress(i))
      return cast<CastInst>(i);
    auto *sum = dyn_cast<BinaryOperator>(i);
    if (!sum || depth == DEEPEST || !(sum->hasNoSignedWrap() || sum->hasNoUnsignedWrap())) continue;
    if (const CastInst *found = extensionOf(sum, loop, depth + 1)) return found;
  }
  return nullptr;
}

// Does the innermost loop go over neighbours, from anywhere?  Its copies then load at known distances
// from one pointer.  In canonical mode a counter that does not begin at 0 stays narrow, which is
// better for others: a product takes one instruction, and a sum of 64 bits two.
bool goesOneByOne(const Loop &loop, PHINode &counter, ScalarEvolution &evolution) {
  auto *steps = cast<SCEVAddRecExpr>(evolution.getSCEV(&counter));
  return loop.isInnermost() && !steps->getStart()->isZero() &&
         steps->getStepRecurrence(evolution)->isOne();
}

bool widen(Loop &loop, LoopStandardAnalysisResults &known) {
  SmallVector<WideIVInfo, 4> wanted;
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy(32) || !isa<SCEVAddRecExpr>(known.SE.getSCEV(&phi))) continue;
    const CastInst *extension = extensionOf(&phi, loop, 0);
    if (!extension) continue;
    WideIVInfo &info = wanted.emplace_back();
    info.NarrowIV = &phi;
    info.WidestNativeType = extension->getType();
    info.IsSigned = isa<SExtInst>(extension);
  }
  bool changed = false;
  for (WideIVInfo &info : wanted) {
    SmallVector<WeakTrackingVH, 16> dead;
    unsigned extensions = 0, widened = 0;
    SCEVExpander expander(known.SE, loop.getHeader()->getDataLayout(), "wide");
    if (goesOneByOne(loop, *info.NarrowIV, known.SE)) expander.disableCanonicalMode();
    PHINode *wide =
        createWideIV(info, &known.LI, &known.SE, expander, &known.DT, dead, extensions, widened,
                     /* HasGuards = */ false, /* UsePostIncrementRanges = */ true);
    changed |= wide != nullptr;
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead, &known.TLI);
  }
  if (changed) DeleteDeadPHIs(loop.getHeader(), &known.TLI);
  return changed;
}

// Is there an access to a small private array whose place changes from iteration to iteration?
bool movesInArray(Loop &loop, ScalarEvolution &evolution) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      auto *address = dyn_cast<GetElementPtrInst>(&i);
      if (!address) continue;
      auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(address));
      std::optional<TypeSize> size =
          array ? array->getAllocationSize(i.getDataLayout()) : std::nullopt;
      if (size && *size <= LARGEST_ARRAY &&
          !evolution.isLoopInvariant(evolution.getSCEV(address), &loop))
        return true;
    }
  return false;
}

// A number that each copy of the loop knows.
bool isKnownInCopies(Value *v, const Loop &loop, ScalarEvolution &evolution) {
  if (isa<Constant>(v)) return true;
  if (!evolution.isSCEVable(v->getType())) return false;
  auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(v));
  return counter && counter->getLoop() == &loop &&
         all_of(counter->operands(), [](const SCEV *part) { return isa<SCEVConstant>(part); });
}

// Does it stay, in copies of the loop? Counters, what is made of them only, and branches do not.
bool stays(Instruction &i, const Loop &loop, ScalarEvolution &evolution) {
  if (i.isTerminator() || isa<PHINode>(i)) return false;
  if (isKnownInCopies(&i, loop, evolution)) return false;
  if (i.mayReadOrWriteMemory()) return true;
  return !all_of(i.operands(), [&](Value *v) { return isKnownInCopies(v, loop, evolution); });
}

// What a load reads in one iteration: an object, where in it as far as no number, and the number.
using Place = std::tuple<const SCEV *, const SCEV *, int64_t>;

void addPlaces(std::set<Place> &places, const SCEVAddRecExpr &address, int64_t step, size_t trips,
               ScalarEvolution &evolution) {
  const SCEV *start = address.getStart(), *in = evolution.removePointerBase(start);
  int64_t at = 0;
  auto *sum = dyn_cast<SCEVAddExpr>(in);
  auto *number = dyn_cast<SCEVConstant>(sum ? sum->getOperand(0) : in);
  if (number) {
    at = number->getAPInt().getSExtValue();
    in = evolution.getMinusSCEV(in, number);
  }
  for (size_t k = 0; k < trips; k++, at += step)
    places.emplace(evolution.getPointerBase(start), in, at);
}

// What may be written in the loop is not where the load reads: local and global memory are apart.
bool isWrittenInLoop(const LoadInst &load, const Loop &loop) {
  if (load.hasMetadata(LLVMContext::MD_invariant_load)) return false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      if (!i.mayWriteToMemory()) continue;
      auto *store = dyn_cast<StoreInst>(&i);
      if (!store || !store->getPointerAddressSpace() || !load.getPointerAddressSpace() ||
          store->getPointerAddressSpace() == load.getPointerAddressSpace())
        return true;
    }
  return false;
}

// Do two thirds as many places as its iterations load suffice?  (What is the same place in each of
// them is loaded in front of it already.)
bool repeatsLoads(Loop &loop, size_t trips, ScalarEvolution &evolution) {
  std::set<Place> places;
  size_t loads = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      auto *load = dyn_cast<LoadInst>(&i);
      if (!load || !load->isSimple() || isWrittenInLoop(*load, loop)) continue;
      auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand()));
      if (!address || address->getLoop() != &loop || !address->isAffine()) continue;
      auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
      if (!step) continue;
      addPlaces(places, *address, step->getAPInt().getSExtValue(), trips, evolution);
      loads += trips;
    }
  return loads && places.size() * 3 <= loads * 2;
}

// A step that is a local size is 1 to 1024, so that the loop ends.  LLVM learns it only where such a
// loop is: elsewhere it makes other code of it, which takes more registers.
void tellSteps(Loop &loop, ScalarEvolution &evolution) {
  enum { MOST = 1024 }; /* of CUDA (its programming guide, compute capabilities) */
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!evolution.isSCEVable(phi.getType())) continue;
    auto *steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!steps || !steps->isAffine() || steps->getLoop() != &loop) continue;
    const SCEV *step = steps->getStepRecurrence(evolution);
    if (auto *wider = dyn_cast<SCEVCastExpr>(step)) step = wider->getOperand();
    auto *value = dyn_cast<SCEVUnknown>(step);
    auto *size = value ? dyn_cast<IntrinsicInst>(value->getValue()) : nullptr;
    if (!size || size->hasMetadata(LLVMContext::MD_range)) continue;
    Intrinsic::ID id = size->getIntrinsicID();
    if (id != Intrinsic::nvvm_read_ptx_sreg_ntid_x && id != Intrinsic::nvvm_read_ptx_sreg_ntid_y &&
        id != Intrinsic::nvvm_read_ptx_sreg_ntid_z)
      continue;
    MDBuilder builder(size->getContext());
    size->setMetadata(LLVMContext::MD_range,
                      builder.createRange(APInt(32, 1), APInt(32, MOST + 1)));
    evolution.forgetValue(size);
    evolution.forgetLoop(&loop);
  }
}

// Is it known in front of the loop how often it runs, if only by code that LLVM finds dear?
bool isDear(Loop &loop, LoopStandardAnalysisResults &known) {
  const SCEV *back = known.SE.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(back) || isa<SCEVConstant>(back) || !loop.getLoopPreheader())
    return false;
  SCEVExpander expander(known.SE, loop.getHeader()->getDataLayout(), "dear");
  Instruction *before = loop.getLoopPreheader()->getTerminator();
  return expander.isSafeToExpandAt(back, before) &&
         expander.isHighCostExpansion(back, &loop, SCEVCheapExpansionBudget, &known.TTI, before);
}

// Does a short loop wait for memory, and for nothing that others do?
bool waitsForLoads(const Loop &loop) {
  size_t size = 0, loads = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      auto *call = dyn_cast<CallBase>(&i);
      if (call && (call->isConvergent() || call->cannotDuplicate())) return false;
      auto *load = dyn_cast<LoadInst>(&i);
      if (i.isAtomic() || i.isVolatile()) return false;
      loads += load && load->getPointerAddressSpace() != MPL_LOCAL_SPACE;
      size++;
    }
  return loads && size <= MPL_GIVEN_GPU_WAITING;
}

void repeat(Loop &loop, LoopStandardAnalysisResults &known) {
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !loop.isInnermost() || loop.getExitingBlock() != latch || !waitsForLoads(loop))
    return;
  if (hasUnrollTransformation(&loop) != TM_Unspecified) return;
  tellSteps(loop, known.SE);
  if (!isDear(loop, known)) return;
  addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", MPL_GIVEN_GPU_COPIES);
}

void straighten(Loop &loop, ScalarEvolution &evolution) {
  size_t size = 0, trips = evolution.getSmallConstantTripCount(&loop);
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) size += stays(i, loop, evolution);
  bool is_inner = loop.isInnermost() && loop.getParentLoop() && trips * size <= MOST_ORDINARY;
  if (trips && trips * size <= MOST_INSTRUCTIONS &&
      !findOptionMDForLoop(&loop, "llvm.loop.unroll.disable") &&
      (is_inner || movesInArray(loop, evolution) ||
       (loop.isInnermost() && repeatsLoads(loop, trips, evolution))))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
}
} // namespace

PreservedAnalyses GpuLoopPass::run(Loop &loop, LoopAnalysisManager &,
                                   LoopStandardAnalysisResults &known, LPMUpdater &) {
  if (!Triple(loop.getHeader()->getModule()->getTargetTriple()).isNVPTX())
    return PreservedAnalyses::all();
  straighten(loop, known.SE);
  repeat(loop, known);
  return widen(loop, known) ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
}
