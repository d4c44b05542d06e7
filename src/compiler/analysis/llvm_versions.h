/* What has another form in LLVM's C++ interface from one version to the next, 19 to 21: the rest of the
 * plugins is the same source for all of them. */
#ifndef MPL_ANALYSIS_LLVM_VERSIONS_H
#define MPL_ANALYSIS_LLVM_VERSIONS_H

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/LoopPeel.h>

/* In front of an instruction, for what takes an instruction; since 20 it takes an iterator as well, and since 21
 * a position. */
#if LLVM_VERSION_MAJOR >= 20
inline llvm::BasicBlock::iterator mpl_in_front_of(llvm::Instruction *at) { return at->getIterator(); }
#else
inline llvm::Instruction *mpl_in_front_of(llvm::Instruction *at) { return at; }
#endif

inline llvm::Function *mpl_intrinsic(llvm::Module *module, llvm::Intrinsic::ID id,
                                     llvm::ArrayRef<llvm::Type *> types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(module, id, types);
#else
  return llvm::Intrinsic::getDeclaration(module, id, types);
#endif
}

/* The first iteration of a loop is taken out; since 21 the last one can be as well. */
inline bool mpl_peel_first(llvm::Loop *loop, llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
                           llvm::DominatorTree &dominators, llvm::AssumptionCache &assumptions,
                           llvm::ValueToValueMapTy &map) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::peelLoop(loop, 1, /* PeelLast = */ false, &loops, &evolution, dominators, &assumptions,
                        /* PreserveLCSSA = */ true, map);
#else
  return llvm::peelLoop(loop, 1, &loops, &evolution, dominators, &assumptions, /* PreserveLCSSA = */ true, map);
#endif
}

/* The machine of a module's triple, without a processor; null if LLVM has none. */
inline std::unique_ptr<llvm::TargetMachine> mpl_machine(const llvm::Module &module) {
  std::string error;
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple &triple = module.getTargetTriple();
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
#else
  const std::string &triple = module.getTargetTriple();
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
#endif
  if (!target) return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(triple, "", "", {}, {}));
}

#endif
