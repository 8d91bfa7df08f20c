// Embind's registration of a function, for functions of one address: the module has each under its name.

addToLibrary({
  _embind_register_function__deps: ["$AsciiToString", "$getWasmTableEntry"],
  _embind_register_function: (name, _count, _types, _signature, invoker, implementation) => {
    const invoke = getWasmTableEntry(invoker);
    Module[AsciiToString(name)] = (address) => invoke(implementation, address);
  },
});
