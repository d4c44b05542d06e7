#include "shim.h"

#include "llvm_versions.h"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/IR/StructuralHash.h>
#include <llvm/IR/ValueMap.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

// Of headers that are not the program's: the C++ library's, SYCL's and ours.
static bool is_of_library(const DILocation *at) {
  StringRef file = at->getFilename();
  return file.starts_with("/usr/") || file.contains("include/sycl/") || file.contains("include/maniple/") ||
         file.contains("include/c++/");
}

// The first place outside of such headers on the way from an instruction to the kernel; null if there is none.
static const DILocation *place_in_program(const Instruction *from) {
  SmallVector<const Instruction *, 16> calls{from};
  SmallPtrSet<const Function *, 16> seen;
  for (size_t i = 0; i < calls.size(); i++) {
    for (const DILocation *at = calls[i]->getDebugLoc(); at; at = at->getInlinedAt())
      if (!is_of_library(at)) return at;
    const Function *function = calls[i]->getFunction();
    if (!seen.insert(function).second) continue;
    for (const User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == function) calls.push_back(call);
  }
  return nullptr;
}

// Not through LLVM's diagnostics: clang then looks for the file, and a program given as text has none.
void mpl_ir_say(LLVMValueRef where, const char *word, const char *message) {
  auto *instruction = dyn_cast<Instruction>(unwrap(where));
  Function *function = instruction ? instruction->getFunction() : dyn_cast<Function>(unwrap(where));
  if (instruction && instruction->getDebugLoc()) {
    const DILocation *at = place_in_program(instruction);
    if (!at) at = instruction->getDebugLoc();
    errs() << at->getFilename() << ':' << at->getLine() << ':' << at->getColumn() << ": ";
  } else if (function && function->getSubprogram()) {
    errs() << function->getSubprogram()->getFilename() << ':' << function->getSubprogram()->getLine() << ": ";
  }
  errs() << word << ": " << message << '\n';
}

void mpl_ir_move_away(LLVMValueRef function) {
  auto *old = cast<Function>(unwrap(function));
  Function *now =
      Function::Create(old->getFunctionType(), old->getLinkage(), old->getAddressSpace(), "", old->getParent());
  now->copyAttributesFrom(old);
  now->copyMetadata(old, 0);
  old->setSubprogram(nullptr);
  now->takeName(old);
  now->splice(now->begin(), old);
  for (unsigned i = 0; i < old->arg_size(); i++) {
    now->getArg(i)->takeName(old->getArg(i));
    old->getArg(i)->replaceAllUsesWith(now->getArg(i));
  }
  old->replaceAllUsesWith(now);
  old->removeFromParent();
}

void mpl_ir_drop_named_metadata(LLVMModuleRef module, const char *name) {
  if (NamedMDNode *node = unwrap(module)->getNamedMetadata(name)) unwrap(module)->eraseNamedMetadata(node);
}

LLVMBasicBlockRef mpl_ir_split(LLVMValueRef before, const char *name) {
  auto *instruction = cast<Instruction>(unwrap(before));
  return wrap(instruction->getParent()->splitBasicBlock(instruction, name));
}

LLVMBasicBlockRef mpl_ir_meet(LLVMBasicBlockRef join, LLVMBasicBlockRef a, LLVMBasicBlockRef b, const char *name) {
  return wrap(SplitBlockPredecessors(unwrap(join), {unwrap(a), unwrap(b)}, name));
}

void mpl_ir_take_name(LLVMValueRef value, LLVMValueRef of) { unwrap(value)->takeName(unwrap(of)); }

unsigned mpl_ir_version() { return LLVM_VERSION_MAJOR; }

void mpl_ir_take_place(LLVMValueRef function, LLVMValueRef of) {
  auto *taker = cast<Function>(unwrap(function)), *giver = cast<Function>(unwrap(of));
  taker->takeName(giver);
  taker->copyAttributesFrom(giver);
  giver->setName(taker->getName() + ".sub_group");
  giver->setLinkage(GlobalValue::InternalLinkage);
}

// The scalarizer puts the addresses of components behind an alloca, which is outside of the region whose work-items
// have one each: they go to where they are asked for.
static bool sink_addresses(llvm::Function &function) {
  std::vector<llvm::GetElementPtrInst *> addresses;
  for (llvm::Instruction &i : function.getEntryBlock())
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i))
      if (llvm::isa<llvm::AllocaInst>(address->getPointerOperand()) && address->hasAllConstantIndices())
        addresses.push_back(address);
  for (llvm::GetElementPtrInst *address : addresses) {
    llvm::DenseMap<llvm::BasicBlock *, llvm::Instruction *> ends; // one of a block for all phis
    for (llvm::Use &use : llvm::make_early_inc_range(address->uses())) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      if (user->getParent() == address->getParent()) continue;
      llvm::Instruction *&end = ends[phi ? phi->getIncomingBlock(use) : nullptr];
      llvm::Instruction *copy = phi && end ? end : address->clone();
      llvm::Instruction *place = phi ? phi->getIncomingBlock(use)->getTerminator() : user;
      if (!copy->getParent()) copy->insertInto(place->getParent(), place->getIterator());
      end = copy;
      use.set(copy);
    }
    if (address->use_empty()) address->eraseFromParent();
  }
  return !addresses.empty();
}

static bool run_passes(llvm::Function &function, llvm::FunctionPassManager &passes) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  return !passes.run(function, functions).areAllPreserved();
}

bool mpl_ir_scalarize(LLVMValueRef function) {
  llvm::Function &f = *llvm::unwrap<llvm::Function>(function);
  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass(options));
  passes.addPass(llvm::EarlyCSEPass());
  bool changed = run_passes(f, passes);
  return sink_addresses(f) || changed;
}

void mpl_ir_infer_spaces(LLVMValueRef function, unsigned any) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InferAddressSpacesPass(any));
  run_passes(*llvm::unwrap<llvm::Function>(function), passes);
}

LLVMValueRef mpl_ir_clone(LLVMValueRef function) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(cast<Function>(unwrap(function)), map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  return wrap(copy);
}

LLVMBasicBlockRef mpl_ir_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to, const char *name) {
  return wrap(SplitBlockPredecessors(unwrap(to), {unwrap(from)}, name));
}

void mpl_ir_expand_constants(LLVMValueRef global) {
  convertUsersOfConstantsToInstructions({cast<Constant>(unwrap(global))});
}

void mpl_ir_drop_dead_constants(LLVMValueRef global) {
  cast<Constant>(unwrap(global))->removeDeadConstantUsers();
}

void mpl_ir_replace_incoming(LLVMBasicBlockRef block, LLVMBasicBlockRef before, LLVMBasicBlockRef now) {
  unwrap(block)->replacePhiUsesWith(unwrap(before), unwrap(now));
}

LLVMValueRef mpl_ir_outline(LLVMBasicBlockRef *blocks, unsigned count) {
  SmallVector<BasicBlock *, 64> region;
  for (unsigned k = 0; k < count; k++) region.push_back(unwrap(blocks[k]));
  CodeExtractorAnalysisCache cache(*region[0]->getParent());
  CodeExtractor extractor(region, nullptr, false, nullptr, nullptr, nullptr, false, /* AllowAlloca = */ true);
  Function *made = extractor.extractCodeRegion(cache);
  if (made) made->addFnAttr(Attribute::NoInline);
  return wrap(made);
}

void mpl_ir_drop_promises(LLVMValueRef instruction) {
  cast<Instruction>(unwrap(instruction))->dropPoisonGeneratingFlags();
}

bool mpl_ir_is_pure_call(LLVMValueRef call) {
  auto *base = cast<CallBase>(unwrap(call));
  return base->doesNotAccessMemory() && base->doesNotThrow() && base->willReturn();
}

void mpl_ir_take_subprogram(LLVMValueRef function, LLVMValueRef from) {
  auto *source = cast<Function>(unwrap(from));
  cast<Function>(unwrap(function))->setSubprogram(source->getSubprogram());
  source->setSubprogram(nullptr);
}

static void forget(DICompileUnit *unit, const DIGlobalVariable *variable) {
  SmallVector<Metadata *> kept;
  for (DIGlobalVariableExpression *one : unit->getGlobalVariables())
    if (one->getVariable() != variable) kept.push_back(one);
  unit->replaceGlobalVariables(MDTuple::get(unit->getContext(), kept));
}

void mpl_ir_declare(LLVMValueRef variable, LLVMValueRef pointer) {
  SmallVector<DIGlobalVariableExpression *, 1> known;
  cast<GlobalVariable>(unwrap(variable))->getDebugInfo(known);
  auto *at = cast<Instruction>(unwrap(pointer));
  DISubprogram *program = at->getFunction()->getSubprogram();
  if (known.empty() || !program) return;
  const DIGlobalVariable *old = known[0]->getVariable();
  Instruction *behind = at->getNextNode();
  auto *place = new AllocaInst(at->getType(), 0, "", behind->getIterator());
  new StoreInst(at, place, behind->getIterator());
  DIBuilder builder(*at->getModule(), false, program->getUnit());
  DILocalVariable *own = builder.createAutoVariable(program, old->getName(), old->getFile(),
                                                    old->getLine(), old->getType());
  builder.insertDeclare(place, own, builder.createExpression({dwarf::DW_OP_deref}),
                        DILocation::get(at->getContext(), old->getLine(), 0, program), mpl_in_front_of(behind));
  forget(program->getUnit(), old);
}

static void drop_named_metadata(Module &module, StringRef kept = "") {
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    if (node.getName() != kept) module.eraseNamedMetadata(&node);
}

enum mpl_linked mpl_ir_link_needed(LLVMModuleRef module, LLVMMemoryBufferRef bitcode) {
  std::unique_ptr<MemoryBuffer> buffer(unwrap(bitcode));
  auto loaded = getOwningLazyBitcodeModule(std::move(buffer), unwrap(module)->getContext());
  if (!loaded) return consumeError(loaded.takeError()), MPL_LINK_DAMAGED;
  if (Error error = (*loaded)->materializeMetadata()) return consumeError(std::move(error)), MPL_LINK_DAMAGED;
  if (Triple((*loaded)->getTargetTriple()).getArch() != Triple(unwrap(module)->getTargetTriple()).getArch())
    return MPL_LINK_FOREIGN;
  // Flags and versions are the program's; the library has no say in them.
  drop_named_metadata(**loaded);
  bool failed = Linker::linkModules(*unwrap(module), std::move(*loaded), Linker::LinkOnlyNeeded);
  return failed ? MPL_LINK_DAMAGED : MPL_LINKED;
}

LLVMModuleRef mpl_ir_copy_part(LLVMModuleRef module, bool (*copied)(LLVMValueRef, void *), void *data) {
  ValueToValueMapTy map;
  DebugInfoFinder finder;
  finder.processModule(*unwrap(module));
  for (DICompileUnit *unit : finder.compile_units()) map.MD()[unit].reset(unit);
  for (DIType *type : finder.types()) map.MD()[type].reset(type);
  auto keep = [&](const GlobalValue *global) { return copied(wrap(global), data); };
  std::unique_ptr<Module> copy = CloneModule(*unwrap(module), map, keep);
  copy->setModuleInlineAsm("");
  drop_named_metadata(*copy, "llvm.dbg.cu");
  // LLVM 19 would find the assignments of both modules by one id, and mix them.  Where variables are nobody keeps.
  for (Function &function : *copy) {
    at::deleteAll(&function);
    for (Instruction &i : make_early_inc_range(instructions(function))) {
      i.dropDbgRecords();
      if (isa<DbgInfoIntrinsic>(i)) i.eraseFromParent();
    }
  }
  return wrap(copy.release());
}

bool mpl_ir_link(LLVMModuleRef module, LLVMModuleRef part) {
  drop_named_metadata(*unwrap(part)); // its compile units are the module's own
  return !Linker::linkModules(*unwrap(module), std::unique_ptr<Module>(unwrap(part)));
}

void mpl_ir_drop_unwinding(LLVMValueRef function) {
  auto *of = cast<Function>(unwrap(function));
  for (BasicBlock &block : *of)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator())) changeToCall(invoke);
  removeUnreachableBlocks(*of);
  of->setPersonalityFn(nullptr);
}

// Lines of the passes' own that stand for no line of the source have line 0.
static DebugLoc place_of(const Instruction *instruction) {
  if (!instruction) return DebugLoc();
  if (instruction->getDebugLoc() && instruction->getDebugLoc().getLine()) return instruction->getDebugLoc();
  for (const Instruction &other : *instruction->getParent())
    if (other.getDebugLoc() && other.getDebugLoc().getLine()) return other.getDebugLoc();
  return DebugLoc();
}

void mpl_ir_remark(LLVMValueRef where, const char *pass, bool missed, const char *message) {
  auto *instruction = dyn_cast<Instruction>(unwrap(where));
  Function *function = instruction ? instruction->getFunction() : cast<Function>(unwrap(where));
  DebugLoc place = place_of(instruction);
  if (!place && !function->getSubprogram()) return; // the built-in library's own code
  DiagnosticLocation at = place ? DiagnosticLocation(place) : DiagnosticLocation(function->getSubprogram());
  LLVMContext &context = function->getContext();
  // Of a function that clang does not know: of one that it knows it tells the place, in place of ours.
  std::unique_ptr<Function> unknown(Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                                     GlobalValue::ExternalLinkage, "maniple.remark"));
  const BasicBlock *block = BasicBlock::Create(context, "", unknown.get());
  if (missed)
    context.diagnose(OptimizationRemarkMissed(pass, "missed", at, block) << message);
  else
    context.diagnose(OptimizationRemark(pass, "done", at, block) << message);
}

bool mpl_ir_hears(LLVMContextRef context, const char *pass) {
  return unwrap(context)->getDiagHandlerPtr()->isPassedOptRemarkEnabled(pass);
}

bool mpl_ir_gathers(LLVMValueRef value) {
  Function &function = *cast<Function>(unwrap(value));
  std::unique_ptr<TargetMachine> machine = mpl_machine(*function.getParent());
  auto *words = FixedVectorType::get(Type::getInt32Ty(function.getContext()), 8);
  return machine && machine->getTargetTransformInfo(function).isLegalMaskedGather(words, Align(4));
}

uint64_t mpl_ir_fingerprint(LLVMModuleRef module) { return StructuralHash(*unwrap(module), /* DetailedHash = */ true); }

unsigned *mpl_ir_note(LLVMValueRef function) {
  static auto &notes = *new ValueMap<Function *, unsigned>; // entries go when their functions do
  auto *of = cast<Function>(unwrap(function));
  auto known = notes.find(of);
  return known != notes.end() ? &known->second : &notes[of];
}

const char *mpl_ir_section(LLVMValueRef global) {
  auto *object = cast<GlobalObject>(unwrap(global));
  if (object->hasSection()) return object->getSection().data(); // a string of the context's, with its 0
  AttributeSet attributes;
  if (auto *variable = dyn_cast<GlobalVariable>(object)) attributes = variable->getAttributes();
  if (auto *function = dyn_cast<Function>(object)) attributes = function->getAttributes().getFnAttrs();
  for (const char *kind : {"bss-section", "data-section", "rodata-section", "relro-section", "implicit-section-name"})
    if (attributes.hasAttribute(kind)) return attributes.getAttribute(kind).getValueAsString().data();
  return nullptr;
}

void mpl_ir_at_load(LLVMModuleRef module, LLVMValueRef begin, LLVMValueRef end) {
  const int first = 101; // those below are the C library's
  appendToGlobalCtors(*unwrap(module), unwrap<Function>(begin), first);
  appendToGlobalDtors(*unwrap(module), unwrap<Function>(end), first);
}

char *mpl_ir_demangle(const char *name) { return LLVMCreateMessage(demangle(name).c_str()); }

void mpl_ir_drop_lines(LLVMModuleRef module) {
  Module &of = *unwrap(module);
  for (const DICompileUnit *unit : of.debug_compile_units()) // which leave out those without debug information
    if (unit) return;
  StripDebugInfo(of);
}
