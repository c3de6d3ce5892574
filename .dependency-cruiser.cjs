/** Which folders may import which (ARCHITECTURE.md, "Rooms"). Every rule is an error. */
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const production = { pathNot: "\\.test\\.tsx?$|/testing/" };

/**
 * The rooms of the gateway's districts from the ground up, as `district/room/`: a room imports only rooms before it. A
 * resource of a single file stands in its district beside the rooms, above all of them. A district without rooms is one
 * room.
 */
const districts = require("./gateway/rooms.json");
const rooms = Object.entries(districts).flatMap(([district, names]) =>
  names.length === 0
    ? [`${district}/`]
    : [...names.map((name) => `${district}/${name}/`), `${district}/[^/]+\\.ts$`],
);
const floors = rooms.map((room, floor) => {
  const names = Object.keys(districts);
  const below = names.slice(0, names.indexOf(room.split("/")[0]) + 1).join("|");
  return rule(
    `${room.replace(/\W+/g, "-")}looks-down`,
    "A room of the gateway imports only rooms before it in gateway/rooms.json, and its context.",
    { path: `^gateway/${room}`, ...production },
    {
      path: `^gateway/(?!${rooms.slice(0, floor + 1).join("|")}|(${below})/context\\.ts$|.*/testing/)`,
    },
  );
});
/** The command line starts the program, so only it may import the root where the rooms are assembled. */
floors.splice(-2, 1);

/** Packages that a default installation needs late or never: none is loaded while a gateway starts. */
const latePackages = [
  "@aws-sdk/client-s3",
  "@bjorn3/browser_wasi_shim",
  "@fastify/swagger",
  "@modelcontextprotocol/server",
  "@napi-rs/canvas",
  "@opentelemetry/sdk-node",
  "@simplewebauthn/server",
  "@zxcvbn-ts/(core|language-common)",
  "client-zip",
  "file-type",
  "mediabunny",
  "nodemailer",
  "openid-client",
  "prom-client",
  "qrcode",
  "sharp",
  "wasm-media-encoders",
].join("|");
/** Files built on them, which are loaded late too. */
const lateFiles = [
  "contract/accounts/password-strength\\.ts",
  "gateway/workspace/copies/s3/put-file\\.ts",
  "gateway/edges/mcp/(tools|tasks)\\.ts",
  "gateway/files/previews/child/",
  "gateway/models/providers/media/measure-clip\\.ts",
  "gateway/sandbox/(child|picture|scene)/",
  "gateway/sandbox/speech/(?!voice\\.ts)",
  "gateway/sandbox/video/",
  "gateway/files/storage/s3(-parts)?\\.ts",
  "gateway/platform/telemetry/open\\.ts",
].join("|");

module.exports = {
  forbidden: [
    rule("no-cycles", "A cycle cannot be read from top to bottom.", {}, { circular: true }),
    ...floors,
    rule(
      "every-room-has-a-floor",
      "A new room belongs into gateway/rooms.json.",
      { path: `^gateway/(?!${rooms.join("|")}|testing/|[^/]+/testing/)[^/]+/`, ...production },
      { path: "." },
    ),
    rule(
      "context-is-types",
      "A room is handed the context; only its type is imported.",
      { path: "^gateway/" },
      { path: "^gateway/[^/]+/context\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "doors-open-from-outside",
      "Only the composition opens the doors; a room is handed what is behind them.",
      { path: "^gateway/[^/]+/", ...production },
      { path: "^gateway/[^/]+/district\\.ts$" },
    ),
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
    rule(
      "messages-know-nobody",
      "Console and gateway say the same words.",
      { path: "^messages/" },
      { path: "^(contract|gateway|lib|components|app)/" },
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
      "browser-knows-no-descriptions",
      "contract/resources.ts is for servers: the browser takes its types, and lib/resource-pages.ts.",
      {
        path: "^(components|lib)/",
        pathNot: `^lib/(server|guides|reference)/|^components/team/roles-table\\.tsx$|${production.pathNot}`,
      },
      {
        path: "^contract/(resources|ids|error|audit|search|accounts/permissions)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "four-districts-reach-no-provider",
      "Billing, access, files and events know no provider, no configuration and no key of a provider.",
      { path: "^gateway/(billing|access|files|events)/", ...production },
      { path: "^gateway/(models/(?!catalog/)|sandbox/)" },
    ),
    rule(
      "sandbox-is-one-provider-among-others",
      "Only the composition knows that there is a sandbox.",
      { path: `^gateway/(${rooms.filter((room) => room !== "sandbox/").join("|")})`, ...production },
      { path: "^gateway/sandbox/" },
    ),
    rule(
      "drizzle-has-one-home",
      "Each import of its ES modules costs milliseconds of a start: gateway/platform/database/drizzle.ts.",
      { path: "^gateway/", pathNot: "^gateway/platform/database/drizzle\\.ts$" },
      { path: "/drizzle-orm/" },
    ),
    rule(
      "late-is-loaded-when-used",
      "Only by import(), where it is used: each would cost every start some 100 ms and 20 MB.",
      { path: "^(contract|gateway)/", pathNot: `^(${lateFiles})|${production.pathNot}` },
      {
        path: `/node_modules/(${latePackages})/|^node_modules/(${latePackages})/|^(${lateFiles})`,
        dependencyTypesNot: ["type-only"],
        dynamic: false,
      },
    ),
    rule(
      "media-processes-load-little",
      "Each job starts one: what they do not need, such as typebox, would cost each a tenth of its processor time.",
      {
        path: "^gateway/sandbox/((child|picture|scene|video)/|(failure|ffmpeg|limits|mark|seed)\\.ts)",
        ...production,
      },
      {
        path: "^contract/(?!by-name\\.ts)|^gateway/(?!sandbox/|files/(ffmpeg|previews/child)/|platform/core/)|^gateway/platform/core/api-error\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "pictures-have-one-decoder",
      "Only gateway/files/previews/child/decoder.ts says which formats are opened.",
      {
        path: "^(contract|gateway|lib|components|app)/",
        pathNot: `^gateway/files/previews/child/decoder\\.ts$|${production.pathNot}`,
      },
      { path: "node_modules/sharp/", dependencyTypesNot: ["type-only"] },
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
