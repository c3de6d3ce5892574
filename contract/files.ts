import { type Static, Type } from "typebox";
import { closed } from "./list.ts";
import { Nullable } from "./nullable.ts";
import { filePurposes } from "./upload-constants.ts";

/** Seconds since 1970. */
export const UnixTime = Type.Integer({ description: "in seconds since 1970" });

/** Purposes of all files: a batch writes its output and error files itself. */
const allPurposes = [...filePurposes, "batch_output"] as const;

/** An upload, or what a batch answered, as OpenAI's clients read a file. */
export const OpenAiFile = Type.Object({
  id: Type.String({ description: "`upl_…`, or of a batch `batch_…_output` and `batch_…_errors`" }),
  object: Type.Literal("file"),
  bytes: Type.Integer({
    description: "of a batch's files that of its inputs and answers: they are written as they are read",
  }),
  created_at: UnixTime,
  expires_at: Nullable(UnixTime),
  filename: Type.String(),
  purpose: Type.Enum(allPurposes),
  status: Type.Enum(["uploaded", "processed", "error"] as const),
  status_details: Nullable(Type.String()),
  content_type: Type.String(),
});
export type OpenAiFile = Static<typeof OpenAiFile>;

/** OpenAI's largest page; this gateway's pages have at most a hundred. */
const maxAsked = 10_000;

export const OpenAiFileQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxAsked, description: "a page has at most 100" }),
    ),
    after: Type.Optional(Type.String({ maxLength: 100 })),
    order: Type.Optional(Type.Enum(["asc", "desc"] as const, { description: "`desc` by default" })),
    purpose: Type.Optional(Type.Enum(allPurposes)),
  },
  closed,
);
export type OpenAiFileQuery = Static<typeof OpenAiFileQuery>;
