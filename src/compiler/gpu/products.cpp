// Products that an iteration leaves to the next one.
//
//   do { t = x * x - y * y + a;  y = 2 * x * y + b;  x = t; } while (x * x + y * y < 4);
//
// A square of the test is one of the next iteration.  LLVM does not look for that in a loop of one
// block, and it makes y * -y of -(y * y); signs cost nothing here, wherever they are.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "loops.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
PHINode *carriedBy(Value *v, const Loop &loop) {
  auto *phi = dyn_cast<PHINode>(v);
  return phi && phi->getParent() == loop.getHeader() ? phi : nullptr;
}

// What `v` is in the next iteration, if that is known in this one; null if not.
Value *inNext(Value *v, const Loop &loop) {
  if (PHINode *phi = carriedBy(v, loop)) return phi->getIncomingValueForBlock(loop.getLoopLatch());
  return loop.isLoopInvariant(v) ? v : nullptr;
}

Value *inFirst(Value *v, const Loop &loop) {
  PHINode *phi = carriedBy(v, loop);
  return phi ? phi->getIncomingValueForBlock(loop.getLoopPreheader()) : v;
}

// A product of the two, like another, that each iteration has computed when it ends.
Instruction *findProduct(Value *left, Value *right, const Instruction &like, const Loop &loop,
                         const DominatorTree &dominators) {
  if (!isa<Instruction>(left)) std::swap(left, right);
  if (!isa<Instruction>(left)) return nullptr;
  for (User *user : left->users()) {
    auto *product = dyn_cast<Instruction>(user);
    if (product && match(product, m_c_FMul(m_Specific(left), m_Specific(right))) &&
        loop.contains(product) && product->hasSameSubclassOptionalData(&like) &&
        dominators.dominates(product, loop.getLoopLatch()->getTerminator()))
      return product;
  }
  return nullptr;
}

// The product that the one before has left, of what may have a sign; null if it has not.
Value *fromBefore(Instruction &product, Value *left, Value *right, const Loop &loop,
                  const DominatorTree &dominators) {
  if (!carriedBy(left, loop) && !carriedBy(right, loop)) return nullptr;
  Value *next_left = inNext(left, loop), *next_right = inNext(right, loop);
  if (!next_left || !next_right) return nullptr;
  Instruction *next = findProduct(next_left, next_right, product, loop, dominators);
  if (!next || next == &product) return nullptr;
  IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
  builder.setFastMathFlags(product.getFastMathFlags());
  Value *first = builder.CreateFMul(inFirst(left, loop), inFirst(right, loop));
  auto *phi = PHINode::Create(product.getType(), 2, "product", loop.getHeader()->begin());
  phi->addIncoming(first, loop.getLoopPreheader());
  phi->addIncoming(next, loop.getLoopLatch());
  return phi;
}

void share(Instruction &product, const Loop &loop, const DominatorTree &dominators) {
  Value *left, *right;
  bool has_sign = match(&product, m_c_FMul(m_Value(left), m_FNeg(m_Value(right))));
  if (!has_sign && !match(&product, m_FMul(m_Value(left), m_Value(right)))) return;
  Value *carried = fromBefore(product, left, right, loop, dominators);
  if (!carried) return;
  product.replaceAllUsesWith(has_sign ? IRBuilder<>(&product).CreateFNeg(carried) : carried);
  product.eraseFromParent();
}
} // namespace

PreservedAnalyses GpuProductsPass::run(Loop &loop, LoopAnalysisManager &,
                                       LoopStandardAnalysisResults &known, LPMUpdater &) {
  if (!loop.getLoopLatch() || !loop.getLoopPreheader()) return PreservedAnalyses::all();
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : make_early_inc_range(*block))
      if (i.getOpcode() == Instruction::FMul) share(i, loop, known.DT);
  return getLoopPassPreservedAnalyses();
}
