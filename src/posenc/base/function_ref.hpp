#pragma once

#include <concepts>
#include <type_traits>

namespace posenc {

/// A reference to a function object, as std::function_ref will be: a type of parameters alone, which owns nothing and
/// needs no memory and no code that copies.
template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, FunctionRef>)
  FunctionRef(const Function& function)
      : object_(&function), call_([](const void* object, Arguments... arguments) -> Result {
          return (*static_cast<const Function*>(object))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

 private:
  const void* object_;
  Result (*call_)(const void* object, Arguments... arguments);
};

}  // namespace posenc
