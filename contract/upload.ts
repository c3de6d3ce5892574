import { type Static, Type } from "typebox";
import { Maker, makerFilters } from "./accounts/people.ts";
import { closed, ListOf, PageQuery, SearchFilter } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { PreviewUrl } from "./outputs.ts";
import { uploadStatuses } from "./upload-constants.ts";

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
