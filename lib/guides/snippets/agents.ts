import { keyVariable } from "../../key-variable.ts";
import { mcpUrl } from "../mcp-url.ts";
import type { GuideSnippet } from "./languages.ts";

export const mcpClient: GuideSnippet = {
  label: "With the protocol's own client",
  node: (base) => `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "example", version: "1" });
await client.connect(
  new StreamableHTTPClientTransport(new URL("${mcpUrl(base)}"), {
    requestInit: { headers: { authorization: "Bearer " + process.env.${keyVariable} } },
  }),
);
const { structuredContent } = await client.callTool({
  name: "run",
  arguments: {
    model: "svc/chat-1",
    input: { messages: [{ role: "user", content: "Say hello to the harbour" }] },
  },
});
console.log(structuredContent.output);
await client.close();`,
};
