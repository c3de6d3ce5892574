import { expect, it } from "vitest";
import { safeDownloadName } from "./attachment.ts";

it.each([
  ["a.html", "image/gif", "a.html.gif"],
  ["a.gif", "image/gif", "a.gif"],
  ["holiday.JPEG", "image/jpeg", "holiday.JPEG"],
  ["photo\u202Egpj.exe", "image/jpeg", "photogpj.exe.jpg"],
  ["line\r\nbreak.png", "image/png", "linebreak.png"],
  ["日本.mp4", "video/mp4", "日本.mp4"],
  ["song", "audio/mpeg", "song.mp3"],
])("%j of %s is saved as %s", (name, type, saved) => expect(safeDownloadName(name, type)).toBe(saved));
