import { Type } from "typebox";
import { OpenAiFile, OpenAiFileQuery } from "../files.ts";
import { Deleted, ListOf, NoQuery } from "../list.ts";
import {
  FileObject,
  Upload,
  UploadCreate,
  UploadList,
  UploadParts,
  UploadQuery,
  UploadReceived,
  UploadVerify,
} from "../upload.ts";
import { bytesOf, noBody } from "./answers.ts";
import type { Routes } from "./route.ts";

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
    answers: { 201: FileObject },
    foreignAnswer: OpenAiFile,
  },
} as const satisfies Routes;

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
