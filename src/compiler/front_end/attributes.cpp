// [[sycl::reqd_work_group_size(...)]], [[sycl::reqd_sub_group_size(...)]] and
// [[sycl::device_has(...)]], which clang drops.
//
// Behind the parameters of a lambda, where SYCL has them, clang keeps no attribute that it does not
// know and asks no plugin.  So this plugin watches the tokens: where the body of a function with
// such an attribute begins, it puts `::sycl::detail::reqd_work_group_size<...>();` behind the
// brace, with the attribute's arguments as they stand (include/sycl/kernel_properties.hpp).
// Constants, templates and error messages are clang's then.  ../records/record_required.c finds the calls.
#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>

using namespace clang;

namespace {

using Tokens = llvm::SmallVector<Token, 16>;

bool opens(const Token &token) {
  return token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
}

bool closes(const Token &token) {
  return token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
}

bool is(const Token &token, llvm::StringRef name) {
  return token.is(tok::identifier) && token.getIdentifierInfo()->getName() == name;
}

class Watcher {
  Preprocessor &preprocessor;
  Token last, before; // the tokens before this one
  Tokens attribute;   // what stands between [[ and ]]
  enum { Outside, Inside, Leaving } place = Outside;
  bool of_class = false; // it stands in the head of a class, whose braces hold no statements
  Tokens wanted;         // what the next body begins with
  int brackets = 0;      // open in the attribute
  int nesting = 0;       // open since something is wanted

  Token make(tok::TokenKind kind, SourceLocation where, llvm::StringRef name = "") {
    Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(where);
    if (!name.empty()) token.setIdentifierInfo(preprocessor.getIdentifierInfo(name));
    return token;
  }

  // Of the name at attribute[at] and its arguments: ::sycl::detail::name<arguments>();
  void want(size_t at) {
    SourceLocation where = attribute[at].getLocation();
    for (llvm::StringRef space : {"sycl", "detail"}) {
      wanted.push_back(make(tok::coloncolon, where));
      wanted.push_back(make(tok::identifier, where, space));
    }
    wanted.push_back(make(tok::coloncolon, where));
    wanted.push_back(attribute[at]);
    wanted.push_back(make(tok::less, where));
    int open = 1;
    for (size_t i = at + 2; i < attribute.size(); i++) {
      open += opens(attribute[i]) - closes(attribute[i]);
      if (!open) break;
      wanted.push_back(attribute[i]);
    }
    for (tok::TokenKind kind : {tok::greater, tok::l_paren, tok::r_paren, tok::semi})
      wanted.push_back(make(kind, where));
    nesting = 0;
  }

  void read_attribute() {
    bool all_of_sycl = attribute.size() > 2 && attribute[0].is(tok::kw_using) &&
                       is(attribute[1], "sycl") && attribute[2].is(tok::colon);
    int open = 0;
    for (size_t i = 0; i + 1 < attribute.size(); i++) {
      bool ours = is(attribute[i], "reqd_work_group_size") ||
                  is(attribute[i], "reqd_sub_group_size") || is(attribute[i], "device_has");
      bool of_sycl = all_of_sycl || (i >= 2 && attribute[i - 1].is(tok::coloncolon) &&
                                     is(attribute[i - 2], "sycl"));
      if (ours && of_sycl && !open && attribute[i + 1].is(tok::l_paren)) want(i);
      open += opens(attribute[i]) - closes(attribute[i]);
    }
  }

  void see_inside(const Token &token) {
    if (closes(token) && !brackets) {
      place = Leaving;
      if (!of_class) read_attribute();
      return;
    }
    brackets += opens(token) - closes(token);
    attribute.push_back(token);
  }

  void enter_attribute() {
    place = Inside;
    of_class = before.isOneOf(tok::kw_class, tok::kw_struct, tok::kw_union, tok::kw_enum);
    attribute.clear();
    brackets = 0;
    if (!wanted.empty()) nesting--; // the first [ is not one of the declaration's
  }

  // Nothing of it is left: what the attribute stands at is no definition.
  void forget() {
    wanted.clear();
    nesting = 0;
  }

  void see_declaration(const Token &token) {
    if (token.is(tok::l_brace) && !nesting) {
      auto stream = std::make_unique<Token[]>(wanted.size());
      std::copy(wanted.begin(), wanted.end(), stream.get());
      unsigned count = wanted.size();
      forget();
      preprocessor.EnterTokenStream(std::move(stream), count, /*DisableMacroExpansion=*/true,
                                    /*IsReinject=*/false);
      return;
    }
    nesting += opens(token) - closes(token);
    if (nesting < 0 || (token.is(tok::semi) && !nesting)) forget();
  }

public:
  explicit Watcher(Preprocessor &preprocessor) : preprocessor(preprocessor) {
    last.startToken();
    before.startToken();
  }

  void see(const Token &token) {
    if (place == Leaving)
      place = Outside; // the second ]
    else if (place == Inside)
      see_inside(token);
    else if (token.is(tok::l_square) && last.is(tok::l_square))
      enter_attribute();
    else if (!wanted.empty())
      see_declaration(token);
    before = last;
    last = token;
  }
};

class Action : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setTokenWatcher(
        [watcher = Watcher(preprocessor)](const Token &token) mutable { watcher.see(token); });
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static FrontendPluginRegistry::Add<Action> registration("maniple",
                                                        "what SYCL kernels require");
