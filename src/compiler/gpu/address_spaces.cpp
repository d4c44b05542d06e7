// Address spaces of a whole module.  Pointers' types are everywhere in it, so all that holds one is
// made anew, as LLVM's linker does when it maps one module's types to another's.
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/analysis/llvm_versions.h"
#include "gpu.h"

using namespace llvm;

namespace {
class Spaces : public ValueMapTypeRemapper {
  ArrayRef<unsigned> to;
  DenseMap<Type *, Type *> known;

  Type *make(Type *type) {
    if (auto *pointer = dyn_cast<PointerType>(type)) {
      unsigned space = pointer->getAddressSpace();
      return space < to.size() ? PointerType::get(type->getContext(), to[space]) : type;
    }
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    SmallVector<Type *, 8> parts;
    bool same = true;
    for (Type *part : type->subtypes()) {
      parts.push_back(remapType(part));
      same &= parts.back() == part;
    }
    if (same) return type;
    if (auto *function = dyn_cast<FunctionType>(type)) // its result is the first subtype
      return FunctionType::get(parts[0], ArrayRef(parts).drop_front(), function->isVarArg());
    auto *structure = cast<StructType>(type); // with opaque pointers no struct holds itself
    if (structure->isLiteral()) return StructType::get(type->getContext(), parts, structure->isPacked());
    return StructType::create(parts, structure->getName(), structure->isPacked());
  }

public:
  explicit Spaces(ArrayRef<unsigned> to) : to(to) {}
  Type *remapType(Type *type) override {
    Type *&found = known[type];
    if (found) return found;
    Type *made = make(type);
    return known[type] = made;
  }
  unsigned space(unsigned from) const { return from < to.size() ? to[from] : from; }
};

// A function of the new type, with the old one's body.
Function *move(Function &old, Spaces &spaces, ValueToValueMapTy &map) {
  auto *type = cast<FunctionType>(spaces.remapType(old.getFunctionType()));
  SmallVector<Type *, 4> overloads;
  if (Intrinsic::ID id = old.getIntrinsicID()) {
    if (Intrinsic::getIntrinsicSignature(id, type, overloads))
      return mpl_intrinsic(old.getParent(), id, overloads);
  }
  Function *now = Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  now->copyAttributesFrom(&old);
  now->copyMetadata(&old, 0);
  now->takeName(&old);
  now->splice(now->begin(), &old);
  for (auto [from, into] : zip(old.args(), now->args())) {
    into.takeName(&from);
    map[&from] = &into;
  }
  return now;
}

GlobalVariable *move(GlobalVariable &old, Spaces &spaces) {
  auto *now = new GlobalVariable(*old.getParent(), spaces.remapType(old.getValueType()), old.isConstant(),
                                 old.getLinkage(), nullptr, "", nullptr, old.getThreadLocalMode(),
                                 spaces.space(old.getAddressSpace()));
  now->copyAttributesFrom(&old);
  now->takeName(&old);
  return now;
}

void drop_empty_casts(Function &function) {
  for (Instruction &i : make_early_inc_range(instructions(function))) {
    if (!isa<AddrSpaceCastInst>(i) || i.getType() != i.getOperand(0)->getType()) continue;
    i.replaceAllUsesWith(i.getOperand(0));
    i.eraseFromParent();
  }
}

// Constants cast from one space to another that becomes the same are what they were cast from.
class EmptyCasts {
  Spaces &spaces;
  ValueToValueMapTy &map;
  const RemapFlags flags;
  SmallPtrSet<Constant *, 16> seen;

public:
  EmptyCasts(Spaces &spaces, ValueToValueMapTy &map, RemapFlags flags)
      : spaces(spaces), map(map), flags(flags) {}
  void look(Value *value) {
    auto *constant = dyn_cast<Constant>(value);
    if (!constant || isa<GlobalValue>(constant) || !seen.insert(constant).second) return;
    for (Value *part : constant->operands()) look(part);
    auto *cast = dyn_cast<ConstantExpr>(constant);
    if (!cast || cast->getOpcode() != Instruction::AddrSpaceCast) return;
    if (spaces.remapType(cast->getType()) == spaces.remapType(cast->getOperand(0)->getType()))
      map[cast] = MapValue(cast->getOperand(0), map, flags, &spaces);
  }
};
} // namespace

void mpl_gpu_move_spaces(LLVMModuleRef handle, const unsigned *to, unsigned count) {
  Module &module = *unwrap(handle);
  Spaces spaces(ArrayRef(to, count));
  ValueToValueMapTy map;
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>> variables;
  SmallVector<Function *> gone;
  for (GlobalVariable &g : make_early_inc_range(module.globals())) {
    if (spaces.remapType(g.getType()) == g.getType() && spaces.remapType(g.getValueType()) == g.getValueType())
      continue;
    GlobalVariable *now = move(g, spaces);
    variables.emplace_back(&g, now);
    map[&g] = now;
  }
  for (Function &f : make_early_inc_range(module.functions())) {
    if (spaces.remapType(f.getFunctionType()) == f.getFunctionType()) continue;
    map[&f] = move(f, spaces, map);
    gone.push_back(&f);
  }
  const RemapFlags flags = RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs;
  EmptyCasts casts(spaces, map, flags);
  for (GlobalVariable &g : module.globals())
    if (g.hasInitializer()) casts.look(g.getInitializer());
  for (Function &f : module.functions())
    for (Instruction &i : instructions(f))
      for (Value *operand : i.operands()) casts.look(operand);
  for (auto [old, now] : variables)
    if (old->hasInitializer()) now->setInitializer(MapValue(old->getInitializer(), map, flags, &spaces));
  for (GlobalVariable &g : module.globals())
    if (!map.count(&g) && g.hasInitializer())
      g.setInitializer(MapValue(g.getInitializer(), map, flags, &spaces));
  for (Function &f : module.functions()) {
    if (f.isDeclaration()) continue;
    RemapFunction(f, map, flags, &spaces);
    drop_empty_casts(f);
  }
  for (Function *f : gone) {
    f->replaceAllUsesWith(cast<Function>(map[f]));
    f->eraseFromParent();
  }
  for (auto [old, now] : variables) {
    old->removeDeadConstantUsers();
    if (!old->use_empty()) old->replaceAllUsesWith(PoisonValue::get(old->getType()));
    old->eraseFromParent();
  }
}
