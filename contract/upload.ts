import { type Static, Type } from "typebox";
import { Maker, makerFilters } from "./accounts/people.ts";
import { Gated } from "./attestations.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, SearchFilter, Timestamp } from "./list.ts";
import { PreviewUrl } from "./outputs.ts";
import { bytesOf, noBody, type Routes } from "./routes/route.ts";
import { filePurposes, uploadStatuses } from "./upload-constants.ts";

export * from "./upload-constants.ts";

export const Upload = Type.Object({
  id: Type.String(),
  object: Type.Literal("upload"),
  status: Type.String(),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  filename: Nullable(Type.String()),
  sha256: Nullable(Type.String()),
  reference: Type.String(),
  upload_url: Nullable(Type.String()),
  resume_url: Nullable(
    Type.String({
      description:
        "signed URL for HEAD and PATCH of tus 1.0, with which a pending upload continues after a break",
    }),
  ),
  received_bytes: Type.Integer({ description: "number of stored bytes" }),
  upload_method: Type.Literal("PUT"),
  upload_headers: Type.Record(Type.String(), Type.String()),
  download_url: Nullable(Type.String()),
  gated: Type.Optional(Gated),
  preview_url: PreviewUrl,
  url_expires_at: Timestamp,
  object_expires_at: Nullable(Timestamp),
  created_at: Timestamp,
  verified_at: Nullable(Timestamp),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  made_by: Type.Optional(Maker),
});
export type Upload = Static<typeof Upload>;

export const UploadCreate = Type.Object(
  {
    content_type: Type.String({ minLength: 1, maxLength: 200 }),
    size_bytes: Type.Integer({ minimum: 1 }),
    filename: Type.Optional(Type.String({ maxLength: 255 })),
    sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
  },
  closed,
);
export type UploadCreate = Static<typeof UploadCreate>;

/** An upload in the shape that Replicate's clients read. */
export const FileObject = Type.Object({
  id: Type.String(),
  object: Type.Literal("file"),
  name: Type.String(),
  content_type: Type.String(),
  size: Type.Integer(),
  checksums: Type.Object({ sha256: Type.String() }),
  metadata: Type.Record(Type.String(), Type.String()),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  urls: Type.Object({ get: Type.String({ description: "signed URL that operations accept as an input" }) }),
});
export type FileObject = Static<typeof FileObject>;

export const UploadList = ListOf(Upload);

export const UploadVerify = Type.Object(
  { sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })) },
  closed,
);
export type UploadVerify = Static<typeof UploadVerify>;

export const UploadQuery = Type.Interface(
  [PageQuery],
  {
    search: Type.Optional(SearchFilter),
    status: Type.Optional(Type.Enum(uploadStatuses)),
    kind: Type.Optional(Type.Enum(["image", "audio", "video"])),
    sha256: Type.Optional(
      Type.String({ pattern: "^[0-9a-f]{64}$", description: "Only files with this SHA-256 of their bytes" }),
    ),
    ...makerFilters,
  },
  closed,
);
export type UploadQuery = Static<typeof UploadQuery>;

/** A stored part of an upload's bytes. All parts but the last have the same size. */
export const UploadPart = Type.Object({
  number: Type.Integer({ description: "number of the part, counted from 1" }),
  offset_bytes: Type.Integer(),
  size_bytes: Type.Integer(),
  sha256: Type.String(),
});
export type UploadPart = Static<typeof UploadPart>;

/** All parts are in one answer, because even the largest upload has few. */
export const UploadParts = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(UploadPart),
});
export type UploadParts = Static<typeof UploadParts>;

/** The answer to an upload of bytes. */
export const UploadReceived = Type.Object({
  id: Type.String(),
  object: Type.Literal("upload"),
  status: Type.String(),
  size_bytes: Type.Integer(),
  sha256: Nullable(Type.String()),
});

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

export const uploadRoutes = {
  "POST /uploads": {
    summary: "Create an upload and its signed URL",
    permission: "uploads:write",
    idempotent: true,
    location: "{url}/v1/uploads/{id}",
    fromBrowser: true,
    body: UploadCreate,
    answers: { 201: Upload },
  },
  "GET /uploads": {
    summary: "List uploads",
    permission: "uploads:read",
    extension: true,
    fromBrowser: true,
    query: UploadQuery,
    answers: { 200: UploadList },
  },
  "GET /uploads/{id}": {
    summary: "Read an upload, with fresh URLs",
    permission: "uploads:read",
    fromBrowser: true,
    answers: { 200: Upload },
  },
  "DELETE /uploads/{id}": {
    summary: "Delete an upload",
    permission: "uploads:write",
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /uploads/{id}/verify": {
    summary: "Verify the bytes of an upload",
    permission: "uploads:write",
    fromBrowser: true,
    body: UploadVerify,
    answers: { 200: Upload },
  },
  "GET /uploads/{id}/parts": {
    summary: "Read which parts of an upload are stored, with their hashes",
    permission: "uploads:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: UploadParts },
  },
  "POST /files": {
    summary:
      "Upload a file in one multipart request, in OpenAI's shape with `purpose`, otherwise in Replicate's",
    permission: "uploads:write",
    extension: true,
    idempotent: true,
    answers: { 201: FileObject },
    foreignAnswer: OpenAiFile,
  },
} as const satisfies Routes;

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

/** Uploads and the files of batches, in the shape that OpenAI's clients read. */
export const openAiFileRoutes = {
  "GET /files": {
    summary: "List files in OpenAI's shape: verified uploads, and output files of batches",
    permission: "uploads:read",
    extension: true,
    query: OpenAiFileQuery,
    answers: { 200: ListOf(OpenAiFile) },
  },
  "GET /files/{id}": {
    summary: "Read a file in OpenAI's shape",
    permission: "uploads:read",
    extension: true,
    answers: { 200: OpenAiFile },
  },
  "GET /files/{id}/content": {
    summary: "Download a file",
    permission: "uploads:read",
    extension: true,
    fromBrowser: true,
    otherAnswers: { 200: bytesOf("*/*", "The file's bytes; for a batch's files, one JSON object per line") },
  },
  "DELETE /files/{id}": {
    summary: "Delete a file; for a batch's output, the answers of its requests",
    permission: "uploads:write",
    extension: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

const signature = { expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) };

/** The signed addresses. The signature in the URL is the credential. */
export const contentRoutes = {
  "PUT /uploads/{id}/content": {
    summary: "Send the bytes to the signed URL of the upload",
    public: true,
    ownCredential: true,
    query: Type.Object(signature),
    answers: { 200: UploadReceived },
  },
  "PATCH /uploads/{id}/content": {
    summary:
      "Send the bytes from an offset on, to the resume_url of the upload; HEAD returns the offset (tus 1.0)",
    public: true,
    ownCredential: true,
    extension: true,
    query: Type.Object(signature),
    otherAnswers: { 204: noBody("Upload-Offset: number of stored bytes") },
  },
} as const satisfies Routes;

const file = bytesOf("*/*", "The bytes");

const fileQuery = Type.Object({ ...signature, filename: Type.Optional(Type.String()) });

export const fileRoutes = {
  "GET /files/{key}": {
    summary: "Download a file by its signed URL",
    public: true,
    ownCredential: true,
    matches: "/files/*",
    params: Type.Object({ "*": Type.String() }),
    query: fileQuery,
    otherAnswers: { 200: file, 206: file, 416: noBody("The range is outside the file") },
  },
} as const satisfies Routes;

export const previewRoutes = {
  "GET /previews/{key}": {
    summary: "Read a file's preview by its signed URL, or by the query of the file's signed URL",
    public: true,
    ownCredential: true,
    extension: true,
    matches: "/previews/*",
    params: Type.Object({ "*": Type.String() }),
    query: fileQuery,
    otherAnswers: { 200: bytesOf("image/webp", "The preview, at most 512 × 512 pixels") },
  },
} as const satisfies Routes;
