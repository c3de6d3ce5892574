import { Ajv, type ErrorObject } from "ajv";
import formats from "ajv-formats";
import type { ErrorDetail } from "#contract/error.ts";
import { ApiError } from "./api-error.ts";
import type { App } from "./app.ts";
import { refuseManyValues } from "./body-bounds.ts";
import { boundedValidator, maxDetails } from "./bounded-validation.ts";
import { isDateTime } from "./date-time.ts";
import { refuseUnstorable } from "./storable.ts";

const compileBody = compiler({ coerceTypes: false });
/** Query strings and path parameters are text: they are coerced to the schema's types. */
const compileText = compiler({ coerceTypes: true });

/**
 * Route schemas are checked by ajv; bodies as they came, query and path coerced. What no route could store or parse in
 * bounded time is refused before. Answers are plain JSON.
 */
export function installValidation(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === "body" ? compileBody : compileText)(schema as object),
  );
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  readBodies(app);
}

/** No body is an empty object: clients send `POST …/cancel` with a JSON content type and nothing behind it. */
function readBodies(app: App): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    if (text === "") return done(null, {});
    try {
      refuseManyValues(text as string);
    } catch (error) {
      return done(error as Error);
    }
    parse(request, text as string, done);
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined || request.body === null) request.body = {};
    if (!request.is404)
      for (const values of [request.params, request.query, request.body]) refuseUnstorable(values);
    done();
  });
}

function compiler(options: { coerceTypes: boolean }) {
  const [first, all] = [false, true].map((allErrors) => {
    const ajv = new Ajv({ ...options, allErrors, useDefaults: true, removeAdditional: false, strict: false });
    return formats.default(ajv).addFormat("date-time", { validate: isDateTime });
  }) as [Ajv, Ajv];
  return (schema: object) => boundedValidator(first.compile(schema), all.compile(schema));
}

/** The refusal for what a route schema found. */
export function validationError(problems: readonly unknown[], where?: string): ApiError {
  const details = (problems as ErrorObject[]).slice(0, maxDetails).map(detailOf);
  const first = details[0] ?? { path: "", keyword: "", message: "is not valid" };
  const param = first.path.replace(/^\//, "").replaceAll("/", ".") || null;
  const code = first.keyword === "required" ? "missing_parameter" : "invalid_parameter";
  const subject = param ?? (where === "querystring" ? "The query" : "The body");
  return new ApiError(code, `${subject} ${first.message}`, { param, details });
}

function detailOf({ instancePath, keyword, params, message }: ErrorObject): ErrorDetail {
  if (keyword === "required")
    return { path: `${instancePath}/${String(params.missingProperty)}`, keyword, message: "is required" };
  if (keyword === "additionalProperties")
    return {
      path: `${instancePath}/${String(params.additionalProperty)}`,
      keyword,
      message: "is not known here",
    };
  const allowed = keyword === "enum" ? `: ${(params.allowedValues as unknown[]).join(", ")}` : "";
  return { path: instancePath, keyword, message: `${message ?? "is not valid"}${allowed}` };
}
