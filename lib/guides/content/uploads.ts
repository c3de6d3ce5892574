import { uploadMaxBytes } from "#contract/upload-constants.ts";
import { formatByteLimit } from "../../format.ts";
import type { Guide } from "../guide.ts";

export const uploadsGuide: Guide = {
  sections: [
    {
      title: "Upload in three steps",
      parts: [
        {
          text: "Announce the file, send its bytes to the signed URL, and have them verified. Then use the `reference` (`upload://upl_…`) wherever a request takes media. Here a recording is transcribed:",
        },
        { snippet: "uploads" },
        {
          list: [
            "Send the headers in `upload_headers` with the bytes. The signed URL is valid for 15 minutes, for one file of the announced length.",
            "Add `sha256` when you announce the file, and verify compares it.",
            "A file whose bytes do not match its type is `rejected`, and `error` says why.",
          ],
        },
        {
          text: "A request also takes an `https` URL or a `data:` URI, and most media routes take multipart forms. An upload is best for private or large files, and for files that you use more than once.",
        },
      ],
    },
    {
      title: "Continue after a broken connection",
      parts: [
        {
          text: "A large upload over a bad connection need not start over. Instead of the PUT, send it to the `resume_url` of the upload with any client of [tus 1.0](https://tus.io), such as `tus-js-client` with `uploadUrl`. Then verify as above.",
        },
        {
          list: [
            "`HEAD` returns the stored size in `Upload-Offset`; `PATCH` sends the bytes from there. One request at a time: a second one is 423 `upload_locked`.",
            "An upload that has begun waits 24 hours for its next part. Read it again (`GET /v1/uploads/{id}`) for a fresh `resume_url`.",
            "After a restart, compare your file with the hashes in `GET /v1/uploads/{id}/parts` before you continue.",
          ],
        },
      ],
    },
    {
      title: "Types and sizes",
      parts: [
        {
          head: ["Media", "Types", "Up to"],
          rows: [
            ["Images", "JPEG, PNG, WebP, GIF, BMP", formatByteLimit(uploadMaxBytes.image)],
            ["Audio", "WAV, MP3, MP4, Ogg, FLAC, WebM", formatByteLimit(uploadMaxBytes.audio)],
            ["Video", "MP4, QuickTime, WebM", formatByteLimit(uploadMaxBytes.video)],
          ],
        },
        {
          text: "A model may allow less: see its page in the [catalog](/catalog). Files expire 24 hours after they are verified; see [Retention](/guides/retention).",
        },
      ],
    },
  ],
};
