import type { Guide } from "../guide.ts";

const missing = "This gateway has no tools for agents.";

export const agentsGuide: Guide = {
  sections: [
    {
      title: "Connect",
      parts: [
        {
          text: "Agents find the gateway's tools at `{mcp}`, over the Model Context Protocol (streamable HTTP). Give an agent this address: it opens a page of this console, where you choose the models it may run, its budget and its end. Each connection is listed under [Connections](/settings/connections), where you can end it.",
        },
        {
          head: ["Agent", "How"],
          rows: [
            ["Hosted (claude.ai, ChatGPT and the like)", "Add a custom connector with the address `{mcp}`"],
            ["Claude Code", "`claude mcp add --transport http gatehouse {mcp}`, then `/mcp` to sign in"],
            ["Codex", "`codex mcp add gatehouse --url {mcp}`, then `codex mcp login gatehouse`"],
            ["Desktop and editors", 'In their list of servers: `"gatehouse": { "url": "{mcp}" }`'],
          ],
        },
        {
          list: [
            "Hosted agents reach only a gateway with a public https address, and its operator must have set that address (`GATEWAY_PUBLIC_URL`).",
            "The page shows how certain the client’s identity is: confirmed by its own host, or registered by the client itself under any name.",
            "If a token is used twice, as a thief would use it, the connection ends. Connect again.",
          ],
        },
      ],
      missing,
    },
    {
      title: "Connect with a key",
      parts: [
        {
          text: "Programs without a person, and agents that accept a header, use a [key](/keys) as the bearer. The key’s models, limits, budget and expiry apply to everything that the agent does, and revoking the key stops the agent.",
        },
        {
          head: ["Agent", "Settings"],
          rows: [
            [
              "Claude Code",
              '`claude mcp add --transport http gatehouse {mcp} --header "Authorization: Bearer $GATEHOUSE_API_KEY"`',
            ],
            [
              "Codex",
              'In `config.toml`: `[mcp_servers.gatehouse]` with `url = "{mcp}"` and `bearer_token_env_var = "GATEHOUSE_API_KEY"`',
            ],
            [
              "Desktop and editors",
              'In their list of servers: `"gatehouse": { "url": "{mcp}", "headers": { "Authorization": "Bearer …" } }`',
            ],
          ],
        },
      ],
      missing,
    },
    {
      title: "What they can do",
      parts: [
        {
          head: ["Tool", "What it does"],
          rows: [
            ["`search_models`", "Finds the models it may use"],
            ["`describe_model`", "Describes the input of a model, with an example"],
            ["`run`", "Runs it, waits up to 50 seconds, and reports progress meanwhile"],
            ["`get_run`", "Reads a run that took longer, or waits for it"],
            ["`cancel_run`", "Stops one"],
            ["`upload_link`", "Creates a signed URL to upload a file to"],
          ],
        },
        {
          text: "Pictures, speech and videos are returned as temporary URLs, never as base64, which would fill the agent’s context. With `show` it also gets small previews. Every call is listed in [Requests](/requests) and [Usage](/usage), under its key or connection.",
        },
        { snippet: "mcpClient" },
      ],
      missing,
    },
    {
      title: "What only a person can do",
      parts: [
        {
          text: "An agent cannot attest, and cannot confirm the rights of a person in a picture: it gets a link for you instead. A model that needs an attestation runs for an agent only with a key or a consent that names this model, and while your attestation is valid. See [Gates](/guides/gates).",
        },
      ],
      missing,
    },
  ],
};
