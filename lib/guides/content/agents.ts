import type { Guide } from "../guide.ts";

const missing = "This gateway has no tools for agents.";

export const agentsGuide: Guide = {
  sections: [
    {
      title: "Connect",
      parts: [
        {
          text: "Agents find the gateway's tools at `{mcp}`, over the Model Context Protocol (streamable HTTP). Give an agent this address: it opens a page of this console, where you say which models it may run, with which budget, and until when. Each connection stands under [Connections](/settings/connections), where you end it.",
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
            "The page says how sure it is who asks: a client that its own host vouches for, or one that registered itself under any name.",
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
          text: "Programs without a person, and agents that have a field for a header, take a [key](/keys) as the bearer: its models, limits, budget and end are those of everything that the agent does, and revoking it ends that.",
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
            ["`search_models`", "Finds the models that it may use"],
            ["`describe_model`", "Says what a model takes, with an example"],
            ["`run`", "Runs it, waits up to 50 seconds, and tells how it stands meanwhile"],
            ["`get_run`", "Reads a run that took longer, or waits for it"],
            ["`cancel_run`", "Stops one"],
            ["`upload_link`", "Makes a signed address to put a file of yours to"],
          ],
        },
        {
          text: "Pictures, speech and videos come as addresses that work for a while, never as base64, which would fill what an agent can remember. With `show` it also sees small pictures. Every call stands in [Requests](/requests) and in [Usage](/usage), under its key or connection.",
        },
        { snippet: "mcpClient" },
      ],
      missing,
    },
    {
      title: "What only a person can do",
      parts: [
        {
          text: "An agent cannot attest, and cannot confirm the rights of a person in a picture: it gets a link for you instead. A model that needs an attestation runs for an agent only with a key or a consent that names this model, and while your attestation stands. See [Gates](/guides/gates).",
        },
      ],
      missing,
    },
  ],
};
