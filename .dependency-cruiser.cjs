/** Who may know whom (ARCHITECTURE.md, "Rooms"). Every rule is an error. */
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const production = { pathNot: "\\.test\\.tsx?$|/testing/" };

module.exports = {
  forbidden: [
    rule("no-cycles", "A cycle cannot be read from top to bottom.", {}, { circular: true }),
    rule(
      "contract-knows-nobody",
      "The contract is the one thing both sides share.",
      { path: "^contract/" },
      { path: "^(gateway|lib|components|app)/" },
    ),
    rule(
      "gateway-knows-contract",
      "Console and gateway meet over HTTP only.",
      { path: "^gateway/", ...production },
      { path: "^(lib|components|app)/" },
    ),
    rule("lib-knows-contract", "", { path: "^lib/", ...production }, { path: "^(gateway|components|app)/" }),
    rule("components-know-lib", "", { path: "^components/", ...production }, { path: "^(gateway|app)/" }),
    rule("app-knows-no-gateway", "", { path: "^app/", ...production }, { path: "^gateway/" }),
    rule(
      "browser-knows-no-server",
      "What the browser runs must not import lib/server (types are fine).",
      { path: "^(components|lib/(browser|schema-form|timeline|status))/", ...production },
      { path: "^lib/server/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "delivery-cannot-reach-a-provider",
      "A delivery or its retry never runs a model.",
      { path: "^gateway/webhooks/", ...production },
      { path: "^gateway/(providers|execution)/", dependencyTypesNot: ["type-only"] },
    ),
    rule("tests-are-leaves", "Production code must not import tests.", production, {
      path: "\\.test\\.tsx?$|/testing/",
    }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs"],
    },
  },
};
