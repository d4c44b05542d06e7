// Memory that nobody writes while a kernel runs: what constant pointers lead to, and what the kernel
// only reads through an argument that it calls restrict.  The loads say so.  NVIDIA's compiler then
// moves them past stores and barriers, and reads through a cache of its own (ld.global.nc).
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "gpu.h"

using namespace llvm;

namespace {
void markInvariant(LoadInst &load) {
  load.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load.getContext(), {}));
}

// What a pointer leads to, in all that is made of it.
struct Reads {
  SmallPtrSet<Value *, 16> pointers;
  SmallVector<LoadInst *, 16> loads;

  // One use more; false if it may be another than a read.
  bool add(Value *pointer, User *user, SmallVectorImpl<Value *> &next) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (load->isSimple()) loads.push_back(load);
      return load->isSimple();
    }
    if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(user)) {
      if (pointers.insert(user).second) next.push_back(user);
      return true;
    }
    auto *copy = dyn_cast<MemTransferInst>(user);
    return isa<ICmpInst>(user) || (copy && !copy->isVolatile() && copy->getRawDest() != pointer);
  }

  // Where two pointers meet, both are among these.
  bool isClosed() const {
    return all_of(pointers, [this](Value *v) {
      auto *i = cast<Instruction>(v);
      if (!isa<PHINode, SelectInst>(i)) return true;
      return all_of(drop_begin(i->operands(), isa<SelectInst>(i) ? 1 : 0), [this](Value *from) {
        return pointers.contains(from) || isa<ConstantPointerNull>(from);
      });
    });
  }

  bool follow(ArrayRef<Instruction *> roots) {
    SmallVector<Value *, 16> next(roots.begin(), roots.end());
    pointers.insert(roots.begin(), roots.end());
    while (!next.empty()) {
      Value *pointer = next.pop_back_val();
      for (User *user : pointer->users())
        if (!add(pointer, user, next)) return false;
    }
    return isClosed();
  }
};

// Where the argument at that offset of the parameter is loaded.
SmallVector<Instruction *, 4> loadsOf(Function &entry, uint64_t offset) {
  SmallVector<Instruction *, 4> found;
  const DataLayout &layout = entry.getParent()->getDataLayout();
  for (Instruction &i : instructions(entry)) {
    auto *load = dyn_cast<LoadInst>(&i);
    if (!load || !load->getType()->isPointerTy()) continue;
    APInt at(64, 0);
    const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
        layout, at, /* AllowNonInbounds = */ true);
    if (base == entry.getArg(0) && at == offset) found.push_back(load);
  }
  return found;
}
} // namespace

void mpl_gpu_mark_loads(LLVMModuleRef module, unsigned space) {
  for (Function &f : *unwrap(module))
    for (Instruction &i : instructions(f)) {
      auto *load = dyn_cast<LoadInst>(&i);
      if (load && load->isSimple() && load->getPointerAddressSpace() == space) markInvariant(*load);
    }
}

void mpl_gpu_mark_read_only(LLVMValueRef entry, uint64_t offset) {
  Reads reads;
  if (!reads.follow(loadsOf(*unwrap<Function>(entry), offset))) return;
  for (LoadInst *load : reads.loads) markInvariant(*load);
}
