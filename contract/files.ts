import { type Static, Type } from "typebox";
import { closed } from "./list.ts";
import { Nullable } from "./nullable.ts";
import { filePurposes } from "./upload-constants.ts";

/** Unix time in seconds. */
export const UnixTime = Type.Integer({ description: "Unix time in seconds" });

/** Purposes of all files. The last ones are only for files that a batch writes. */
const allPurposes = [...filePurposes, "batch_output"] as const;

/** An upload, or a batch's output or error file, in the shape that OpenAI's clients read. */
export const OpenAiFile = Type.Object({
  id: Type.String({
    description: "`upl_…` for an upload; `batch_…_output` or `batch_…_errors` for a file of a batch",
  }),
  object: Type.Literal("file"),
  bytes: Type.Integer({
    description:
      "size of the file. For a batch's files, the size of its inputs and answers, because these files are only written while they are downloaded",
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

/** The largest page in OpenAI's API. Pages of this gateway have at most a hundred items. */
const maxAsked = 10_000;

export const OpenAiFileQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxAsked, description: "page size; a page has at most 100 files" }),
    ),
    after: Type.Optional(Type.String({ maxLength: 100 })),
    order: Type.Optional(
      Type.Enum(["asc", "desc"] as const, { description: "order by creation time; `desc` by default" }),
    ),
    purpose: Type.Optional(Type.Enum(allPurposes)),
  },
  closed,
);
export type OpenAiFileQuery = Static<typeof OpenAiFileQuery>;
