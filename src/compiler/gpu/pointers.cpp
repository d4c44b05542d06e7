// Which pointers in its argument block a kernel in C or C++ reads or writes through.  What the
// block has besides is of the program's: pointers that only the host uses, numbers.  And what
// constant addresses are of.
#include <algorithm>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "gpu.h"

using namespace llvm;

namespace {
// Whether the user reads or writes at the pointer; what is another pointer into the same goes to
// `next`.
bool isAccess(Value *pointer, User *user, SmallPtrSetImpl<Value *> &seen,
              SmallVectorImpl<Value *> &next) {
  if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(user)) {
    if (seen.insert(user).second) next.push_back(user);
    return false;
  }
  if (auto *store = dyn_cast<StoreInst>(user)) return store->getPointerOperand() == pointer;
  return isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst, CallInst>(user);
}

bool isUsed(Instruction &root) {
  SmallPtrSet<Value *, 16> seen{&root};
  SmallVector<Value *, 16> next{&root};
  while (!next.empty()) {
    Value *pointer = next.pop_back_val();
    for (User *user : pointer->users())
      if (isAccess(pointer, user, seen, next)) return true;
  }
  return false;
}
} // namespace

unsigned mpl_gpu_used_pointers(LLVMValueRef entry, uint64_t *offsets, unsigned room) {
  Function &f = *unwrap<Function>(entry);
  const DataLayout &layout = f.getParent()->getDataLayout();
  unsigned count = 0;
  for (Instruction &i : instructions(f)) {
    auto *load = dyn_cast<LoadInst>(&i);
    if (!load || !load->getType()->isPointerTy()) continue;
    APInt at(64, 0);
    const Value *base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, at, true);
    const uint64_t *end = offsets + count, offset = at.getZExtValue();
    if (base != f.getArg(0) || count == room ||
        std::find<const uint64_t *>(offsets, end, offset) != end || !isUsed(i))
      continue;
    offsets[count++] = offset;
  }
  return count;
}

LLVMValueRef mpl_gpu_constant_base(LLVMModuleRef module, LLVMValueRef address, int64_t *offset) {
  APInt at(64, 0);
  Value *base =
      unwrap(address)->stripAndAccumulateConstantOffsets(unwrap(module)->getDataLayout(), at, true);
  *offset = at.getSExtValue();
  return wrap(base);
}
