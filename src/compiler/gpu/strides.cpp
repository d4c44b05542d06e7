// Loops on a GPU as the back end gets them.
//
// LLVM's strength reduction is done here instead of in the back end, where nobody can look at what
// it leaves.  In front of it, loops that are counted in 64 bits and run less than 2^31 times count
// down to zero in 32: ptxas knows how often such a loop runs, and does several iterations in a row.
//
// Behind it, an extended number times a constant is a product with a result of 64 bits, wherever
// the extension is.  If that is how far an address moves, ptxas adds it in one instruction, and
// other sums of 64 bits in two.
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "loops.h"

using namespace llvm;

namespace {
// The test of a loop with one way out, at its end, if that is of 64 bits.
ICmpInst *wideTest(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader() || loop.getExitingBlock() != latch) return nullptr;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto *test = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  bool is = test && test->hasOneUse() && test->getOperand(0)->getType()->isIntegerTy(64);
  return is ? test : nullptr;
}

bool isSmall(const SCEV *number, const Loop &loop, ScalarEvolution &evolution) {
  enum { MOST_BITS = 31 };
  number = evolution.applyLoopGuards(number, &loop);
  return evolution.getUnsignedRangeMax(number).getActiveBits() <= MOST_BITS;
}

// Does the loop end before it has run 2^31 times?  A counter that goes from one small number to
// another does; or it would have to go all the way round, in steps of which a power of two below 2^16
// is a factor at most, and nobody lives to see that.
bool endsSoon(const ICmpInst &test, const SCEV *back, const Loop &loop,
              ScalarEvolution &evolution) {
  if (isSmall(back, loop, evolution)) return true;
  if (!test.isEquality()) return false;
  const SCEV *counter = evolution.getSCEV(test.getOperand(0));
  const SCEV *limit = evolution.getSCEV(test.getOperand(1));
  if (!isa<SCEVAddRecExpr>(counter)) std::swap(counter, limit);
  auto *steps = dyn_cast<SCEVAddRecExpr>(counter);
  if (!steps || !steps->isAffine() || steps->getLoop() != &loop) return false;
  auto *step = dyn_cast<SCEVConstant>(steps->getStepRecurrence(evolution));
  return step && step->getAPInt().countr_zero() < 16 &&
         isSmall(steps->getStart(), loop, evolution) && isSmall(limit, loop, evolution);
}

// Behind a loop that ends when its counter is at the limit, the counter is the limit.
void useLimit(const Loop &loop, const ICmpInst &test, ScalarEvolution &evolution) {
  BasicBlock *exit = loop.getExitBlock();
  if (!exit || !test.isEquality()) return;
  Value *counter = test.getOperand(0), *limit = test.getOperand(1);
  if (!loop.isLoopInvariant(limit)) std::swap(counter, limit);
  if (!loop.isLoopInvariant(limit)) return;
  const SCEV *steps = evolution.getSCEV(counter);
  for (PHINode &phi : exit->phis()) {
    int from = phi.getBasicBlockIndex(loop.getLoopLatch());
    Value *last = phi.getIncomingValue(from);
    if (last->getType() == limit->getType() && evolution.getSCEV(last) == steps)
      phi.setIncomingValue(from, limit);
  }
}

bool countDown(Loop &loop, LoopStandardAnalysisResults &known) {
  ICmpInst *test = wideTest(loop);
  if (!test) return false;
  ScalarEvolution &evolution = known.SE;
  const SCEV *back = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(back) || !endsSoon(*test, back, loop, evolution)) return false;
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  Instruction *before = loop.getLoopPreheader()->getTerminator();
  Type *type = Type::getInt32Ty(header->getContext());
  const SCEV *times =
      evolution.getAddExpr(evolution.getTruncateOrNoop(back, type), evolution.getOne(type));
  SCEVExpander expander(evolution, header->getDataLayout(), "count");
  if (!expander.isSafeToExpandAt(times, before) ||
      expander.isHighCostExpansion(times, &loop, SCEVCheapExpansionBudget, &known.TTI, before))
    return false;
  useLimit(loop, *test, evolution);
  auto *left = PHINode::Create(type, 2, "left", header->begin());
  IRBuilder<> builder(test);
  Value *next = builder.CreateAdd(left, ConstantInt::getSigned(type, -1), "left.next");
  left->addIncoming(expander.expandCodeFor(times, type, before), loop.getLoopPreheader());
  left->addIncoming(next, latch);
  auto *branch = cast<BranchInst>(latch->getTerminator());
  if (branch->getSuccessor(0) != header) branch->swapSuccessors();
  branch->setCondition(builder.CreateICmpNE(next, ConstantInt::get(type, 0)));
  RecursivelyDeleteTriviallyDeadInstructions(test, &known.TLI);
  DeleteDeadPHIs(header, &known.TLI);
  evolution.forgetLoop(&loop);
  return true;
}

bool isAdd(const User *user) {
  auto *sum = dyn_cast<BinaryOperator>(user);
  return sum && sum->getOpcode() == Instruction::Add;
}

// What a user multiplies an extended number by, to be known to the code's generator only if the
// extension is beside it; 0 if it does not.
uint64_t factorOf(const User *user, const Instruction *extension) {
  auto *i = dyn_cast<Instruction>(user);
  auto *load = dyn_cast<LoadInst>(extension->getOperand(0)); // beside which the back end extends
  const BasicBlock *block = extension->getParent();
  if (!i || (i->getParent() == block && (!load || load->getParent() == block))) return 0;
  if (auto *address = dyn_cast<GetElementPtrInst>(i)) {
    if (address->getNumIndices() != 1 || address->getOperand(1) != extension) return 0;
    TypeSize size = i->getDataLayout().getTypeAllocSize(address->getSourceElementType());
    return size.isScalable() ? 0 : size.getFixedValue();
  }
  auto *by = i->getNumOperands() == 2 ? dyn_cast<ConstantInt>(i->getOperand(1)) : nullptr;
  if (!by || i->getOperand(0) != extension) return 0;
  if (i->getOpcode() == Instruction::Shl)
    return by->getValue().ult(31) ? 1ull << by->getZExtValue() : 0;
  return i->getOpcode() == Instruction::Mul && by->getValue().ult(1u << 31) ? by->getZExtValue()
                                                                            : 0;
}

// As one of numbers with a sign where both do: ptxas knows more of it.
bool isSigned(const Instruction &extension) {
  return isa<SExtInst>(extension) || extension.hasNonNeg();
}

Value *wideProduct(Instruction *extension, uint64_t factor) {
  Value *narrow = extension->getOperand(0);
  Type *wide = extension->getType();
  std::string code = std::string("mul.wide.") + (isSigned(*extension) ? "s" : "u") + "32 $0, $1, " +
                     std::to_string(factor) + ";";
  auto *type = FunctionType::get(wide, {narrow->getType()}, false);
  auto *call = CallInst::Create(type, InlineAsm::get(type, code, "=l,r", false), {narrow}, "",
                                std::next(extension->getIterator()));
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

void widenProducts(Instruction *extension) {
  MapVector<uint64_t, Value *> products;
  for (User *user : make_early_inc_range(extension->users())) {
    uint64_t factor = factorOf(user, extension);
    if (factor < 2 || factor >= 1u << 31) continue;
    Value *&product = products[factor];
    if (!product) product = wideProduct(extension, factor);
    if (auto *address = dyn_cast<GetElementPtrInst>(user)) {
      address->setSourceElementType(Type::getInt8Ty(address->getContext()));
      address->setResultElementType(Type::getInt8Ty(address->getContext()));
      address->setOperand(1, product);
      continue;
    }
    user->replaceUsesWithIf(product, [](const Use &use) { // else it is kept, and not added so
      return isa<GetElementPtrInst>(use.getUser()) || isAdd(use.getUser());
    });
  }
}

// The way back is what a test branches to: the back end leaves it as it is, and ptxas does not know
// as loops those that branch to what is behind.
bool branchBack(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == loop.getHeader())
    return false;
  auto *test = dyn_cast<CmpInst>(branch->getCondition());
  if (!test || !test->hasOneUse()) return false;
  test->setPredicate(test->getInversePredicate());
  branch->swapSuccessors();
  return true;
}

struct CountDownPass : PassInfoMixin<CountDownPass> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &known,
                        LPMUpdater &) {
    bool counts = countDown(loop, known), branches = branchBack(loop);
    return counts || branches ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
  }
};

void widenProducts(Function &function) {
  SmallVector<Instruction *, 16> extensions;
  for (Instruction &i : instructions(function))
    if ((isa<SExtInst>(i) || isa<ZExtInst>(i)) && i.getType()->isIntegerTy(64) &&
        i.getOperand(0)->getType()->isIntegerTy(32))
      extensions.push_back(&i);
  for (Instruction *extension : extensions) widenProducts(extension);
}
} // namespace

// LLVM's pass by its old manager, as the back end runs it.  By the new one, loops are in a form
// (LCSSA) in which it makes sums of the numbers that other loops leave, of which it does not know
// any more whether they wrap.
void mpl_gpu_reduce_loops(Module &module, ModuleAnalysisManager &manager) {
  auto &known = manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  FunctionPassManager in_front;
  LoopPassManager of_loops;
  of_loops.addPass(GpuProductsPass());
  of_loops.addPass(CountDownPass());
  in_front.addPass(createFunctionToLoopPassAdaptor(std::move(of_loops)));
  createModuleToFunctionPassAdaptor(std::move(in_front)).run(module, manager);
  legacy::FunctionPassManager passes(&module);
  passes.add(createTargetTransformInfoWrapperPass(TargetIRAnalysis([&](const Function &of) {
    Function &function = const_cast<Function &>(of);
    TargetTransformInfo info = std::move(known.getResult<TargetIRAnalysis>(function));
    known.clear(function, function.getName()); // what is left there is not one any more
    return info;
  })));
  passes.add(createLoopStrengthReducePass());
  passes.doInitialization();
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    passes.run(function);
    widenProducts(function);
  }
  passes.doFinalization();
}
