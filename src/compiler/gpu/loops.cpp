// Loops on a GPU, before LLVM unrolls and strength-reduces them.
//
// An index of 32 bits that is extended to address memory becomes one of 64 bits, from which
// pointers are made that move on.  LLVM leaves it alone since sums of 64 bits take two instructions
// there; but each iteration extends, multiplies and adds then, which takes more.
//
// A loop in another one that is known to run a few times becomes straight code if that is not long,
// up to twice as long as LLVM's own limit (code that runs once would not be worth fetching); one
// that indexes a private array however long it is: the array becomes registers, which have no
// address.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/SimplifyIndVar.h>

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

void straighten(Loop &loop, ScalarEvolution &evolution) {
  size_t size = 0, trips = evolution.getSmallConstantTripCount(&loop);
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) size += stays(i, loop, evolution);
  bool is_inner = loop.isInnermost() && loop.getParentLoop() && trips * size <= MOST_ORDINARY;
  if (trips && trips * size <= MOST_INSTRUCTIONS &&
      !findOptionMDForLoop(&loop, "llvm.loop.unroll.disable") &&
      (is_inner || movesInArray(loop, evolution)))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
}
} // namespace

PreservedAnalyses GpuLoopPass::run(Loop &loop, LoopAnalysisManager &,
                                   LoopStandardAnalysisResults &known, LPMUpdater &) {
  if (!Triple(loop.getHeader()->getModule()->getTargetTriple()).isNVPTX())
    return PreservedAnalyses::all();
  straighten(loop, known.SE);
  return widen(loop, known) ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
}
