// Loops that write between their reads.
//
// Where what a loop writes may be what it reads next, each iteration waits for its loads: neither
// LLVM nor NVIDIA's compiler moves a load in front of a store that it may read.  In front of such a
// loop that goes along bytes the places are compared.  If they are apart, a copy of the loop does four
// iterations in a row, of which all loads of bytes come first: those are words (join_bytes.cpp).
// Loads of floats side by side stay as many accesses: it took 1.2 to 1.3 times as long.
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LoopVersioning.h>

#include "compiler/analysis/cost_table.h"
#include "compiler/analysis/ir.h"
#include "compiler/analysis/llvm_versions.h"
#include "loops.h"

using namespace llvm;

namespace {
const char early[] = "maniple.early"; // of loads that come in front of stores

bool isGlobal(unsigned space) { return space == MPL_GLOBAL_SPACE; }

// Does an iteration load, and write global memory only, in few instructions?
bool isShort(const Loop &loop) {
  size_t size = 0, loads = 0, stores = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      auto *load = dyn_cast<LoadInst>(&i);
      auto *store = dyn_cast<StoreInst>(&i);
      if (i.mayReadOrWriteMemory() && !load && !store) return false;
      if ((load && !load->isSimple()) || (store && !store->isSimple())) return false;
      if (store && !isGlobal(store->getPointerAddressSpace())) return false;
      loads += load && isGlobal(load->getPointerAddressSpace());
      stores += store != nullptr;
      size++;
    }
  return loads && stores && size <= MPL_GIVEN_GPU_APART;
}

// Does it read bytes side by side?
bool readsBytes(const Loop &loop, ScalarEvolution &evolution) {
  return any_of(*loop.getHeader(), [&](Instruction &i) {
    auto *load = dyn_cast<LoadInst>(&i);
    if (!load || !load->getType()->isIntegerTy(8) || !isGlobal(load->getPointerAddressSpace()))
      return false;
    auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand()));
    return address && address->getLoop() == &loop && address->isAffine() &&
           address->getStepRecurrence(evolution)->isOne();
  });
}

bool reads(const RuntimeCheckingPtrGroup &group, const RuntimePointerChecking &all) {
  return any_of(group.Members, [&](unsigned i) { return !all.getPointerInfo(i).IsWritePtr; });
}

// Is it known to run a few times, or has the program said what it wants?
bool isLeftAlone(Loop &loop, ScalarEvolution &evolution) {
  unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return (most && most < MPL_GIVEN_GPU_CHECKED) ||
         hasUnrollTransformation(&loop) != TM_Unspecified ||
         isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
}

bool isWanted(Loop &loop, ScalarEvolution &evolution) {
  return loop.isInnermost() && loop.getNumBlocks() == 1 && loop.getExitBlock() && isShort(loop) &&
         readsBytes(loop, evolution) && !isLeftAlone(loop, evolution);
}

// Are few comparisons enough to know that loads are apart from stores?
bool isWorthwhile(const LoopAccessInfo &info) {
  const RuntimePointerChecking &all = *info.getRuntimePointerChecking();
  const auto &checks = all.getChecks();
  return !info.hasConvergentOp() && info.getPSE().getPredicate().isAlwaysTrue() &&
         checks.size() <= MPL_GIVEN_GPU_CHECKS && any_of(checks, [&](const RuntimePointerCheck &c) {
           return reads(*c.first, all) || reads(*c.second, all);
         });
}

// While it lives, LLVM does not see where loads of a loop read what nobody writes: it gives up where it
// cannot tell the bounds of one address, needed or not.
class Hidden {
  SmallVector<std::pair<LoadInst *, Value *>, 4> loads;

public:
  explicit Hidden(const Loop &loop) {
    for (Instruction &i : *loop.getHeader()) {
      auto *load = dyn_cast<LoadInst>(&i);
      if (!load || !load->hasMetadata(LLVMContext::MD_invariant_load)) continue;
      loads.emplace_back(load, load->getPointerOperand());
      load->setOperand(0, PoisonValue::get(load->getPointerOperandType()));
    }
  }
  ~Hidden() {
    for (auto [load, pointer] : loads) load->setOperand(0, pointer);
  }
};

const LoopAccessInfo &accessesOf(Loop &loop, LoopAccessInfoManager &accesses) {
  Hidden hidden(loop);
  accesses.clear();
  return accesses.getInfo(loop);
}

void markLoads(Loop &loop) {
  for (Instruction &i : *loop.getHeader())
    if (isa<LoadInst>(i) && i.getType()->isIntegerTy(8) && i.hasMetadata(LLVMContext::MD_noalias))
      i.setMetadata(early, MDNode::get(i.getContext(), {}));
}

bool version(Loop &loop, const LoopAccessInfo &info, LoopInfo &loops, DominatorTree &dominators,
             ScalarEvolution &evolution) {
  if (!isWorthwhile(info)) return false;
  LoopVersioning versions(info, info.getRuntimePointerChecking()->getChecks(), &loop, &loops,
                          &dominators, &evolution);
  versions.versionLoop();
  versions.annotateLoopWithNoAlias();
  markLoads(*versions.getVersionedLoop());
  addStringMetadataToLoop(versions.getVersionedLoop(), "llvm.loop.unroll.count",
                          MPL_GIVEN_GPU_COPIES);
  return true;
}

// Moves what the address is computed from, too; not over what may write there.
class Mover {
  AAResults &aliases;

  // The last of the block's instructions that has to be in front of a load.
  Instruction *lastBefore(LoadInst &load) {
    MemoryLocation place = MemoryLocation::get(&load);
    Instruction *i = load.getPrevNode();
    for (; i && !isa<PHINode>(i); i = i->getPrevNode())
      if (i->mayThrow() || isModSet(aliases.getModRefInfo(i, place))) return i;
    return i;
  }

  // What of the block an address takes to be known at `at`, in order; false if that cannot be.
  bool needs(Value *v, Instruction *at, SetVector<Instruction *> &moved) {
    auto *i = dyn_cast<Instruction>(v);
    if (!i || i->getParent() != at->getParent() || i->comesBefore(at)) return true;
    if (isa<PHINode>(i) || i->mayReadOrWriteMemory()) return false;
    for (Value *operand : i->operands())
      if (!needs(operand, at, moved)) return false;
    moved.insert(i);
    return true;
  }

public:
  explicit Mover(AAResults &aliases) : aliases(aliases) {}

  void move(LoadInst &load) {
    Instruction *last = lastBefore(load);
    Instruction *at = last ? last->getNextNode() : &load.getParent()->front();
    SetVector<Instruction *> moved;
    if (!needs(load.getPointerOperand(), at, moved)) return;
    for (; moved.remove(at); at = at->getNextNode()) continue; // those stay
    if (at == &load) return;
    for (Instruction *i : moved) i->moveBefore(mpl_in_front_of(at));
    load.moveBefore(mpl_in_front_of(at));
  }
};
} // namespace

PreservedAnalyses GpuVersionPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (!Triple(function.getParent()->getTargetTriple()).isNVPTX()) return PreservedAnalyses::all();
  LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  ScalarEvolution &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  DominatorTree &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  LoopAccessInfoManager &accesses = manager.getResult<LoopAccessAnalysis>(function);
  SmallVector<Loop *, 8> wanted;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (isWanted(*loop, evolution)) wanted.push_back(loop);
  bool changed = false;
  AssumptionCache &assumptions = manager.getResult<AssumptionAnalysis>(function);
  for (Loop *loop : wanted) {
    changed |= simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, false);
    if (!loop->isLoopSimplifyForm()) continue;
    changed |= version(*loop, accessesOf(*loop, accesses), loops, dominators, evolution);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses GpuEarlyLoadsPass::run(Function &function, FunctionAnalysisManager &manager) {
  SmallVector<LoadInst *, 8> loads;
  for (BasicBlock &block : function)
    for (Instruction &i : block)
      if (isa<LoadInst>(i) && i.hasMetadata(early)) loads.push_back(cast<LoadInst>(&i));
  if (loads.empty()) return PreservedAnalyses::all();
  Mover mover(manager.getResult<AAManager>(function));
  for (LoadInst *load : loads) mover.move(*load);
  return PreservedAnalyses::none();
}
