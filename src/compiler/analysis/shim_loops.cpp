// Copies of loops and of iterations (shim.h).
#include "shim.h"

#include "llvm_versions.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace {
// What LLVM knows of a function's loops.
struct Analyses {
  DominatorTree dominators;
  LoopInfo loops;
  TargetLibraryInfoImpl known;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  ScalarEvolution evolution;
  explicit Analyses(Function &function)
      : dominators(function), loops(dominators), known(Triple(function.getParent()->getTargetTriple())),
        library(known, &function), assumptions(function),
        evolution(function, library, assumptions, dominators, loops) {}
};
} // namespace

bool mpl_ir_peel(LLVMBasicBlockRef header) {
  Analyses a(*unwrap(header)->getParent());
  Loop *loop = a.loops.getLoopFor(unwrap(header));
  if (!loop || !loop->isRecursivelyLCSSAForm(a.dominators, a.loops) || !canPeel(loop)) return false;
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 4> exits;
  loop->getUniqueExitBlocks(exits);
  if (!mpl_peel_first(loop, a.loops, a.evolution, a.dominators, a.assumptions, map)) return false;
  // Where the peeled iteration and the loop meet, and then the way around both: one block for all.
  for (BasicBlock *exit : exits)
    if (!pred_empty(exit) && isa<BranchInst>(exit->getFirstNonPHIOrDbg()) && exit->getSingleSuccessor())
      TryToSimplifyUncondBranchFromEmptyBlock(exit);
  return true;
}

// A copy of the blocks, which are left where they are; their exits' phis know it.
static void copyLoop(ArrayRef<BasicBlock *> blocks, ArrayRef<BasicBlock *> exits, ValueToValueMapTy &map,
                     SmallVectorImpl<BasicBlock *> &copies) {
  Function *function = blocks[0]->getParent();
  for (BasicBlock *block : blocks) {
    copies.push_back(CloneBasicBlock(block, map, ".case", function));
    map[block] = copies.back();
  }
  remapInstructionsInBlocks(copies, map);
  for (BasicBlock *exit : exits)
    for (PHINode &phi : exit->phis())
      for (unsigned k = 0, count = phi.getNumIncomingValues(); k < count; k++)
        if (auto copy = map.find(phi.getIncomingBlock(k)); copy != map.end()) {
          auto value = map.find(phi.getIncomingValue(k));
          phi.addIncoming(value == map.end() ? phi.getIncomingValue(k) : &*value->second,
                          cast<BasicBlock>(copy->second));
        }
}

// Copies of the blocks, the last of which is where they are entered, for each of the values; `before`, which led there,
// decides.  Returned are all but those that are entered.
static SmallVector<WeakTrackingVH, 64> unswitch(ArrayRef<BasicBlock *> blocks, ArrayRef<BasicBlock *> exits,
                                                BasicBlock *before, Value *condition, ArrayRef<ConstantInt *> values,
                                                BasicBlock *otherwise) {
  BasicBlock *entry = blocks.back();
  auto *dispatch = SwitchInst::Create(condition, otherwise, values.size());
  ReplaceInstWithInst(before->getTerminator(), dispatch);
  SmallVector<WeakTrackingVH, 64> all(blocks.begin(), std::prev(blocks.end()));
  SmallVector<BasicBlock *, 64> made;
  for (ConstantInt *value : values) {
    ValueToValueMapTy map;
    SmallVector<BasicBlock *, 32> copies;
    copyLoop(blocks, exits, map, copies);
    all.append(copies.begin(), std::prev(copies.end()));
    made.append(copies);
    dispatch->addCase(value, cast<BasicBlock>(map[entry]));
    for (BasicBlock *block : copies)
      for (Instruction &i : *block) i.replaceUsesOfWith(condition, value);
  }
  // Not before all are made: an exit's phi that loses all but one of its values is gone, for the next copy too.
  for (BasicBlock *block : made) ConstantFoldTerminator(block, true);
  return all;
}

// Only the other values reach these blocks.
static void dropCases(ArrayRef<BasicBlock *> blocks, SwitchInst *dispatch) {
  for (BasicBlock *block : blocks) {
    auto *end = dyn_cast<SwitchInst>(block->getTerminator());
    if (!end || end->getCondition() != dispatch->getCondition()) continue;
    SwitchInstProfUpdateWrapper rest(*end);
    for (auto &one : dispatch->cases())
      if (auto at = end->findCaseValue(one.getCaseValue()); at != end->case_default()) {
        at->getCaseSuccessor()->removePredecessor(block);
        rest.removeCase(at);
      }
    ConstantFoldTerminator(block, true);
  }
}

// What is reached no longer goes, and what follows one block only becomes part of it.
static void tidy(Function &function, ArrayRef<WeakTrackingVH> blocks) {
  removeUnreachableBlocks(function);
  for (Value *block : blocks)
    if (block) MergeBlockIntoPredecessor(cast<BasicBlock>(block));
}

static SmallVector<ConstantInt *, 8> valuesOf(SwitchInst *on) {
  SmallVector<ConstantInt *, 8> values;
  for (auto &one : on->cases()) values.push_back(one.getCaseValue());
  return values;
}

bool mpl_ir_unswitch(LLVMBasicBlockRef header, LLVMValueRef on) {
  auto *first = cast<SwitchInst>(unwrap(on));
  DominatorTree dominators(*first->getFunction());
  LoopInfo loops(dominators);
  Loop *loop = loops.getLoopFor(unwrap(header));
  if (!loop || loop->getHeader() != unwrap(header) || !loop->isSafeToClone()) return false;
  simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  formLCSSARecursively(*loop, dominators, &loops, nullptr);
  if (!loop->getLoopPreheader() || !loop->hasDedicatedExits()) return false;
  SmallVector<BasicBlock *, 4> exits;
  loop->getUniqueExitBlocks(exits);
  // Blocks of its own: a function's first one has to stay what it is for later passes.
  BasicBlock *before = SplitEdge(loop->getLoopPreheader(), loop->getHeader(), &dominators, &loops);
  BasicBlock *entry = SplitEdge(before, loop->getHeader(), &dominators, &loops);
  SmallVector<BasicBlock *, 32> blocks(loop->blocks());
  blocks.push_back(entry);
  auto all = unswitch(blocks, exits, before, first->getCondition(), valuesOf(first), entry);
  dropCases(blocks, cast<SwitchInst>(before->getTerminator()));
  tidy(*before->getParent(), all);
  return true;
}

LLVMBasicBlockRef mpl_ir_unswitch_from(LLVMBasicBlockRef block, LLVMValueRef on, LLVMValueRef only,
                                       LLVMBasicBlockRef general, LLVMBasicBlockRef *cases) {
  auto *first = cast<SwitchInst>(unwrap(on));
  BasicBlock *before = unwrap(block), *entry = SplitBlock(before, before->begin());
  BasicBlock *otherwise = general ? unwrap(general) : entry;
  SmallVector<ConstantInt *, 8> values = valuesOf(first);
  if (only) values = {cast<ConstantInt>(unwrap(only))};
  SmallVector<BasicBlock *, 32> blocks;
  for (BasicBlock *one : depth_first(entry))
    if (one != entry) blocks.push_back(one);
  blocks.push_back(entry);
  auto all = unswitch(blocks, {}, before, first->getCondition(), values, otherwise);
  for (auto &one : cast<SwitchInst>(before->getTerminator())->cases()) *cases++ = wrap(one.getCaseSuccessor());
  tidy(*before->getParent(), all);
  return wrap(otherwise);
}

// Calls in a loop may be copied, for once; returned are the functions that say they may not.
static SmallPtrSet<Function *, 8> letCopy(const Loop *loop) {
  SmallPtrSet<Function *, 8> said;
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : *block) {
      auto *call = dyn_cast<CallBase>(&i);
      if (!call || !call->cannotDuplicate()) continue;
      call->removeFnAttr(Attribute::NoDuplicate);
      Function *callee = call->getCalledFunction();
      if (!callee || !callee->hasFnAttribute(Attribute::NoDuplicate)) continue;
      callee->removeFnAttr(Attribute::NoDuplicate);
      said.insert(callee);
    }
  return said;
}

bool mpl_ir_unroll(LLVMBasicBlockRef header, unsigned copies, unsigned all) {
  Function &function = *unwrap(header)->getParent();
  Analyses a(function);
  Loop *loop = a.loops.getLoopFor(unwrap(header));
  if (!loop || !loop->isLoopSimplifyForm() || !loop->isRecursivelyLCSSAForm(a.dominators, a.loops)) return false;
  TargetTransformInfo target(function.getParent()->getDataLayout());
  OptimizationRemarkEmitter remarks(&function);
  UnrollLoopOptions options = {};
  unsigned trips = a.evolution.getSmallConstantTripCount(loop),
           most = a.evolution.getSmallConstantMaxTripCount(loop);
  if (!trips && most && most < 2 * copies) return false;
  options.Count = trips && trips <= all ? trips : copies;
  options.Runtime = options.AllowExpensiveTripCount = true;
  Loop *rest = nullptr;
  SmallPtrSet<Function *, 8> not_copied = letCopy(loop);
  LoopUnrollResult result = UnrollLoop(loop, options, &a.loops, &a.evolution, &a.dominators, &a.assumptions,
                                       &target, &remarks, /* PreserveLCSSA = */ true, &rest);
  for (Function *f : not_copied) f->addFnAttr(Attribute::NoDuplicate);
  if (result == LoopUnrollResult::PartiallyUnrolled) loop->setLoopAlreadyUnrolled();
  if (rest) rest->setLoopAlreadyUnrolled();
  return result != LoopUnrollResult::Unmodified;
}

void mpl_ir_unroll_small(LLVMValueRef value, unsigned most) {
  Analyses a(*cast<Function>(unwrap(value)));
  for (Loop *loop : a.loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || findOptionMDForLoop(loop, "llvm.loop.unroll.disable")) continue;
    size_t size = 0;
    for (BasicBlock *block : loop->blocks()) size += block->size();
    if (size_t trips = a.evolution.getSmallConstantTripCount(loop); trips && trips * size <= most)
      addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
  }
}

static const char unrolled_later[] = "maniple.unroll.later", not_unrolled[] = "llvm.loop.unroll.disable";

static bool asksForCopies(const Loop *loop) {
  return findOptionMDForLoop(loop, "llvm.loop.unroll.count") || findOptionMDForLoop(loop, "llvm.loop.unroll.enable");
}

// That pass makes copies of such a loop too, each with its test and its way out, where a way to tell how often it runs
// is only found later (what it loads for that in each iteration moves out of it).
void mpl_ir_keep_loops(LLVMModuleRef module) {
  for (Function &function : *unwrap(module)) {
    if (function.isDeclaration()) continue;
    Analyses a(function);
    for (Loop *loop : a.loops.getLoopsInPreorder()) {
      if (!asksForCopies(loop) || findOptionMDForLoop(loop, not_unrolled)) continue;
      if (a.evolution.getSmallConstantMaxTripCount(loop)) continue;
      addStringMetadataToLoop(loop, unrolled_later);
      addStringMetadataToLoop(loop, not_unrolled, 1);
    }
  }
}

void mpl_ir_allow_loops(LLVMModuleRef module) {
  for (Function &function : *unwrap(module)) {
    if (function.isDeclaration()) continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      if (!findOptionMDForLoop(loop, unrolled_later)) continue;
      loop->setLoopID(makePostTransformationMetadata(function.getContext(), loop->getLoopID(),
                                                     {unrolled_later, not_unrolled}, {}));
    }
  }
}
