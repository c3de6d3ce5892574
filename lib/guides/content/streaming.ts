import type { Guide } from "../guide.ts";

export const streamingGuide: Guide = {
  sections: [
    {
      title: "Ask for a stream",
      parts: [
        {
          text: "Send `stream: true` to receive a chat answer as server-sent events while it is written. With `stream_options.include_usage` the last chunk counts the tokens.",
        },
        { snippet: "streaming" },
      ],
    },
    {
      title: "Know when it has ended",
      parts: [
        {
          list: [
            "A complete answer ends with `data: [DONE]`. A stream that closes without it was cut off: show what arrived, and say that it is incomplete.",
            "An error before the first chunk is an ordinary [error answer](/guides/errors). After that it is a chunk with `error`.",
            "Lines that begin with `:` keep the connection open, every 15 s of silence. Skip them.",
            "Close the connection to stop. The model is stopped too, and the output so far is metered.",
          ],
        },
      ],
    },
  ],
};
