// Bytes side by side that are loaded one by one.
//
// Nothing is known of their alignment, so LLVM leaves them as they are.  But words that are aligned
// lie in one page, so what is around the bytes may be read too: all of the words that hold them
// are, and the bytes come out of two neighbours by a permutation that depends on where the first
// byte is in its word.  Work-items that walk along rows of bytes wait for a line of the cache in
// each access of each of them: four bytes take two accesses, sixteen take five.
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <map>

#include "compiler/analysis/ir.h"
#include "compiler/analysis/llvm_versions.h"
#include "compiler/analysis/target.h"
#include "gpu.h"

using namespace llvm;

namespace {
// The place of a load less what is known of it; null, unless that is in global memory.
Value *baseOf(const LoadInst &load, int64_t &distance) {
  Value *pointer = const_cast<Value *>(load.getPointerOperand());
  APInt at(64, 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(load.getDataLayout(), at,
                                                           /* AllowNonInbounds = */ true);
  distance = at.getSExtValue();
  return base->getType()->getPointerAddressSpace() == MPL_GLOBAL_SPACE ? base : nullptr;
}

// A vector of bytes that is not aligned to words; the back end would load it byte by byte.
bool isApart(const LoadInst &load) {
  auto *type = dyn_cast<FixedVectorType>(load.getType());
  return type && type->getElementType()->isIntegerTy(8) && type->getNumElements() >= MPL_WORD &&
         load.isSimple() && load.getAlign() < MPL_WORD;
}

// Its elements, each loaded alone.
void takeApart(LoadInst &load) {
  auto *type = cast<FixedVectorType>(load.getType());
  IRBuilder<> b(&load);
  SmallVector<Value *, 16> bytes;
  Value *whole = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); i++) {
    Value *place = b.CreatePtrAdd(load.getPointerOperand(), b.getInt64(i));
    LoadInst *byte = b.CreateAlignedLoad(type->getElementType(), place, Align(1));
    byte->copyMetadata(load, {LLVMContext::MD_invariant_load});
    bytes.push_back(byte);
  }
  for (auto [i, byte] : enumerate(bytes)) whole = b.CreateInsertElement(whole, byte, i);
  for (User *user : make_early_inc_range(load.users())) {
    auto *element = dyn_cast<ExtractElementInst>(user);
    auto *at = element ? dyn_cast<ConstantInt>(element->getIndexOperand()) : nullptr;
    if (at && at->getZExtValue() < bytes.size()) {
      element->replaceAllUsesWith(bytes[at->getZExtValue()]);
      element->eraseFromParent();
    }
  }
  load.replaceAllUsesWith(whole);
  load.eraseFromParent();
}

// Loads of bytes, by the distance from their base.
using Bytes = std::multimap<int64_t, LoadInst *>;
using Iterator = Bytes::iterator;

class Joiner {
  Module &module;
  MapVector<Value *, Bytes> bases;

  // The word that it points into.  Not by ptrmask, whose result LLVM's alias analysis takes to be the very place
  // that is masked (19.1): bytes that are loaded behind it would be taken out of the word at wrong places.
  static Value *align(IRBuilder<> &b, Value *pointer) {
    Value *within = b.CreateAnd(b.CreatePtrToInt(pointer, b.getInt64Ty()), MPL_WORD - 1);
    return b.CreatePtrAdd(pointer, b.CreateNeg(within));
  }

  static Value *load(IRBuilder<> &b, Value *pointer, MDNode *invariant) {
    LoadInst *word = b.CreateAlignedLoad(b.getInt32Ty(), pointer, Align(MPL_WORD));
    word->setMetadata(LLVMContext::MD_invariant_load, invariant);
    return word;
  }

  static MDNode *invariantOf(Iterator begin, Iterator end) {
    MDNode *found = begin->second->getMetadata(LLVMContext::MD_invariant_load);
    for (Iterator i = begin; i != end; ++i)
      if (!i->second->hasMetadata(LLVMContext::MD_invariant_load)) found = nullptr;
    return found;
  }

  // Where all of the words are read: in front of the first of the loads.
  static LoadInst *firstOf(Iterator begin, Iterator end) {
    LoadInst *first = begin->second;
    for (Iterator i = begin; i != end; ++i)
      if (i->second->comesBefore(first)) first = i->second;
    return first;
  }

  void join(Value *base, Iterator begin, Iterator end, unsigned count) {
    MDNode *invariant = invariantOf(begin, end);
    IRBuilder<> b(firstOf(begin, end));
    Value *pointer = b.CreatePtrAdd(base, b.getInt64(begin->first)), *aligned = align(b, pointer);
    Value *place = b.CreateAnd(b.CreatePtrToInt(pointer, b.getInt32Ty()), MPL_WORD - 1);
    Value *choice = b.CreateAdd(b.CreateMul(place, b.getInt32(0x1111)), b.getInt32(0x3210));
    SmallVector<Value *, 8> words;
    for (unsigned at = 0; at < count; at += MPL_WORD)
      words.push_back(load(b, b.CreatePtrAdd(aligned, b.getInt64(at)), invariant));
    Value *last = b.CreatePtrAdd(pointer, b.getInt64(count - 1));
    words.push_back(load(b, align(b, last), invariant)); // perhaps the one before it
    Function *permute = mpl_intrinsic(&module, Intrinsic::nvvm_prmt, {});
    SmallVector<Value *, 8> joined;
    for (unsigned i = 0; i + 1 < words.size(); i++)
      joined.push_back(b.CreateCall(permute, {words[i], words[i + 1], choice}));
    for (Iterator i = begin; i != end; ++i) {
      uint64_t at = uint64_t(i->first - begin->first);
      Value *byte = b.CreateLShr(joined[at / MPL_WORD], at % MPL_WORD * 8);
      i->second->replaceAllUsesWith(b.CreateTrunc(byte, b.getInt8Ty()));
    }
    for (Iterator i = begin; i != end; ++i) i->second->eraseFromParent();
  }

  void joinRuns(Value *base, Bytes &bytes) {
    for (Iterator begin = bytes.begin(), end; begin != bytes.end(); begin = end) {
      int64_t last = begin->first;
      for (end = begin; end != bytes.end() && end->first <= last + 1; ++end) last = end->first;
      unsigned count = unsigned(last - begin->first) + 1;
      if (count >= MPL_WORD) join(base, begin, end, count);
    }
  }

  void joinAll() {
    for (auto &[base, bytes] : bases) joinRuns(base, bytes);
    bases.clear();
  }

public:
  explicit Joiner(Module &module) : module(module) {}

  // Nothing is written between what is joined.
  void run(BasicBlock &block) {
    for (Instruction &i : make_early_inc_range(block)) {
      if (i.mayWriteToMemory()) joinAll();
      auto *load = dyn_cast<LoadInst>(&i);
      if (!load || !load->isSimple() || !load->getType()->isIntegerTy(8)) continue;
      int64_t distance;
      Value *base = baseOf(*load, distance);
      if (base) bases[base].emplace(distance, load);
    }
    joinAll();
  }
};
} // namespace

void mpl_gpu_join_bytes(LLVMModuleRef handle) {
  Module &module = *unwrap(handle);
  Joiner joiner(module);
  for (Function &f : module)
    for (BasicBlock &block : f) {
      for (Instruction &i : make_early_inc_range(block)) {
        auto *load = dyn_cast<LoadInst>(&i);
        if (load && isApart(*load)) takeApart(*load);
      }
      joiner.run(block);
    }
}
