import { registerHooks } from "node:module";

/** The thread that signs, where the optional package is not installed. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@contentauth/")) throw new Error(`Cannot find package '${specifier}'`);
    return next(specifier, context);
  },
});
await import("#gateway/runs/provenance/signing/signer-thread.ts");
