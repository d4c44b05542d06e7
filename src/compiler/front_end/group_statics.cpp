// sycl::ext::oneapi::experimental::work_group_static: variables of this type are ones of the thread,
// of static storage in a block too, as if the program had said so.  A work-group runs on one thread,
// so that its work-items share them (include/sycl/ext/oneapi/experimental/work_group_static.hpp).
//
// A definition is changed before code is made of it.  A declaration without one (`extern`, or of a
// class) is what clang compares a later one with: it is changed only while code is made.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>
#include <vector>

using namespace clang;

namespace {

std::vector<VarDecl *> declared; // without a definition, of the one file that is compiled

void set_declared(ThreadStorageClassSpecifier kind) {
  for (VarDecl *each : declared) each->setTSCSpec(kind);
}

class Marker {
  const ClassTemplateDecl *pattern;

  bool is_static_of_group(const VarDecl *variable) const {
    const auto *of = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        variable->getType()->getAsCXXRecordDecl());
    return of && of->getSpecializedTemplate()->getCanonicalDecl() == pattern &&
           !isa<ParmVarDecl>(variable) && variable->getTSCSpec() == TSCS_unspecified;
  }

public:
  explicit Marker(const ClassTemplateDecl *pattern) : pattern(pattern) {}

  void mark(VarDecl *variable) {
    if (!is_static_of_group(variable)) return;
    if (variable->isThisDeclarationADefinition() == VarDecl::DeclarationOnly) {
      declared.push_back(variable);
      return;
    }
    if (variable->isLocalVarDecl()) variable->setStorageClass(SC_Static);
    variable->setTSCSpec(TSCS_thread_local);
    variable->setInit(nullptr); // it has no constructor to run
  }

  // All that is declared inside, also in blocks of functions and in lambdas.
  void look_into(Decl *each) {
    if (auto *variable = dyn_cast<VarDecl>(each)) mark(variable);
    if (auto *of_class = dyn_cast<ClassTemplateDecl>(each))
      for (ClassTemplateSpecializationDecl *made : of_class->specializations()) look_into(made);
    if (auto *context = dyn_cast<DeclContext>(each))
      for (Decl *inner : context->decls()) look_into(inner);
  }
};

class Before : public ASTConsumer {
  ASTContext *context = nullptr;
  ClassTemplateDecl *pattern = nullptr;

  // The class template, once it has been declared.
  ClassTemplateDecl *find() {
    DeclContext *space = context->getTranslationUnitDecl();
    for (llvm::StringRef name : {"sycl", "ext", "oneapi", "experimental"}) {
      auto found = space->lookup(&context->Idents.get(name));
      NamespaceDecl *next = found.empty() ? nullptr : dyn_cast<NamespaceDecl>(found.front());
      if (!next) return nullptr;
      space = next;
    }
    auto found = space->lookup(&context->Idents.get("work_group_static"));
    return found.empty() ? nullptr : dyn_cast<ClassTemplateDecl>(found.front());
  }
  bool is_used() {
    if (!pattern) pattern = find();
    return pattern && !pattern->specializations().empty();
  }

public:
  void Initialize(ASTContext &given) override { context = &given; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (!is_used()) return true;
    Marker marker(pattern->getCanonicalDecl());
    for (Decl *each : group) marker.look_into(each);
    set_declared(TSCS_thread_local);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    if (is_used()) Marker(pattern->getCanonicalDecl()).mark(variable);
  }
  void HandleTranslationUnit(ASTContext &) override { set_declared(TSCS_thread_local); }
};

class After : public ASTConsumer {
public:
  bool HandleTopLevelDecl(DeclGroupRef) override {
    set_declared(TSCS_unspecified);
    return true;
  }
};

class BeforeAction : public PluginASTAction {
  // The macro tells the headers that somebody does it.
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() +
                               "#define __MANIPLE_GROUP_STATICS__ 1\n");
    return std::make_unique<Before>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

class AfterAction : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<After>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddAfterMainAction; }
};

} // namespace

static FrontendPluginRegistry::Add<BeforeAction> before("maniple-group-statics",
                                                        "variables of work-groups");
static FrontendPluginRegistry::Add<AfterAction> after("maniple-group-statics-after",
                                                      "variables of work-groups");
