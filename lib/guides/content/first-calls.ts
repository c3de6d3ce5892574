import type { Guide } from "../guide.ts";

export const firstCallGuide: Guide = {
  sections: [
    {
      title: "Create a key",
      parts: [
        {
          text: "Create an account key on [Keys](/keys) and put it in the environment variable `GATEHOUSE_API_KEY`. It is shown only once. Keep it on your server: never in a browser, an app or a repository.",
        },
      ],
      missing: "This gateway has no page for keys. Ask its operator for one: `gatehouse keys create`.",
    },
    {
      title: "Send a request",
      parts: [
        { text: "The base URL is `{base}`. Send the key as the bearer token of every request." },
        { snippet: "firstCall" },
        {
          text: "The Node.js code needs `npm install openai`. Clients for OpenAI work unchanged when their base URL is set. The shell code of these guides uses curl and jq.",
        },
      ],
    },
    {
      title: "Choose a model",
      parts: [
        {
          text: "The [catalog](/catalog) lists every model with its parameters, limits and regions. The same list is public at `GET /models`:",
        },
        { snippet: "findModels" },
        {
          text: "In the playground of a model, the Code tab shows your own request in three languages. The [API reference](/api-reference) has every route.",
        },
      ],
    },
  ],
};

export const streamingGuide: Guide = {
  sections: [
    {
      title: "Request a stream",
      parts: [
        {
          text: "Send `stream: true` to receive a chat answer as server-sent events while it is written. With `stream_options.include_usage`, the last chunk contains the token counts.",
        },
        { snippet: "streaming" },
      ],
    },
    {
      title: "Know when the stream has ended",
      parts: [
        {
          list: [
            "A complete answer ends with `data: [DONE]`. A stream that closes without it was cut off: show what arrived, and say that it is incomplete.",
            "An error before the first chunk is an ordinary [error answer](/guides/errors). A later error is a chunk with `error`.",
            "After every 15 s of silence, a line that starts with `:` keeps the connection open. Skip these lines.",
            "Close the connection to stop. The gateway also stops the model, and charges for the output so far.",
          ],
        },
      ],
    },
  ],
};

export const clientsGuide: Guide = {
  sections: [
    {
      title: "The OpenAI SDK",
      parts: [
        {
          text: "Chat completions and Responses both run every chat model of the [catalog](/catalog). A response is stored for the retention time, so the next request needs only its id; send `store: false` to store nothing.",
        },
        { snippet: "responsesClient" },
      ],
      missing: "This gateway has chat completions only: see [First call](/guides/first-call).",
    },
    {
      title: "Batches with the OpenAI SDK",
      parts: [
        {
          text: "Files and batches work as they do at OpenAI. You upload a file with one request on each line, for chat completions, responses, embeddings, images or edits. Here this is an ordinary [batch](/batches), with the same budgets and gates.",
        },
        { snippet: "openAiBatch" },
        {
          list: [
            "A file has up to 1,000 requests and 16 MB. A line that cannot run is in the error file, with its line number.",
            "Requests that have not run after 24 hours expire. The output file is stored for another 24 hours, and each image for 24 hours after it was made.",
          ],
        },
      ],
      missing: "This gateway has no batches.",
    },
    {
      title: "The AI SDK",
      parts: [
        { text: "The OpenAI provider of the AI SDK calls Responses. Install `ai` and `@ai-sdk/openai`." },
        { snippet: "aiSdkClient" },
      ],
      missing: "Use `@ai-sdk/openai-compatible` here: it calls chat completions.",
    },
    {
      title: "The Anthropic SDK",
      parts: [
        { text: "The Messages API also runs every chat model, with tools, streams and token counts." },
        { snippet: "anthropicClient" },
      ],
      missing: "This gateway does not have Anthropic's Messages API.",
    },
    {
      title: "Model names of other providers",
      parts: [
        {
          text: "Programs that ask for `gpt-5` or `claude-sonnet-5` need no change: an [alias](/aliases) maps such a name to models of the catalog. If the first model cannot run, the gateway uses the next one.",
        },
      ],
      missing: "Set the program's model to a model of the [catalog](/catalog).",
    },
    {
      title: "Coding agents",
      parts: [
        { text: "An agent needs the base URL, a key and a model of the catalog that calls functions." },
        {
          head: ["Agent", "Settings"],
          rows: [
            [
              "Claude Code",
              "Environment: `ANTHROPIC_BASE_URL={base}`, `ANTHROPIC_AUTH_TOKEN` with the key, `ANTHROPIC_MODEL=svc/chat-1`, and `CLAUDE_CODE_MAX_OUTPUT_TOKENS` within the model's limit",
            ],
            [
              "Codex",
              'In `config.toml`: a provider with `base_url = "{base}"`, `env_key = "GATEHOUSE_API_KEY"` and `wire_api = "responses"`, and its name as `model_provider`',
            ],
            [
              "Others",
              "In the settings for an OpenAI-compatible server: `{base}` as the base URL, and the key",
            ],
          ],
        },
        {
          text: "Web search runs only at OpenAI and Anthropic. This gateway removes that tool from the request, and names the tool in a header of the answer. Tools that need another machine are refused.",
        },
      ],
      missing: "Agents that use chat completions work with `{base}` as the base URL.",
    },
  ],
};

const missing = "This gateway has no tools for agents.";

export const agentsGuide: Guide = {
  sections: [
    {
      title: "Connect",
      parts: [
        {
          text: "Agents find the gateway's tools at `{mcp}`, over the Model Context Protocol (streamable HTTP). Give an agent this address: it opens a page of this console, where you choose the models that it may run, its budget and its expiry. Each connection is listed under [Connections](/settings/connections), where you can end it. A [cap per task](/guides/caps-per-task) stops an agent in a loop.",
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
            "The page that opens in this console shows how certain the client’s identity is: confirmed by its own host, or registered by the client itself under any name.",
            "If a token is used twice, it may be stolen, so the gateway ends the connection. Connect again.",
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
      title: "What agents can do",
      parts: [
        {
          head: ["Tool", "What it does"],
          rows: [
            ["`search_models`", "Finds the models it may use"],
            ["`describe_model`", "Describes the input of a model, with an example"],
            ["`run`", "Runs a model, waits up to 50 seconds, and reports progress meanwhile"],
            ["`get_run`", "Reads the result of a longer run, or waits for it"],
            ["`cancel_run`", "Stops a run"],
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

export const gatesGuide: Guide = {
  sections: [
    {
      title: "Three gates",
      parts: [
        {
          head: ["Gate", "Asks", "Code"],
          rows: [
            ["Adult", "A person attests once that they are an adult", "`adult_attestation_required`"],
            [
              "Portrait rights",
              "A person attests once that they hold the rights to the portraits they use",
              "`portrait_rights_attestation_required`",
            ],
            [
              "Person rights",
              "Every request contains `person_rights_confirmed: true`",
              "`person_rights_confirmation_required`",
            ],
          ],
        },
        {
          text: "A model's page in the [catalog](/catalog) names its gates. They are checked in this order, before anything runs or is charged.",
        },
      ],
    },
    {
      title: "Attest",
      parts: [
        {
          text: "Read and confirm the statements on [Attestations](/attestations), signed in with e-mail and password. An attestation applies at once to the person's runs, also with their personal keys, and to the service keys that they are responsible for. The person can withdraw it at any time. A key cannot attest, and a new version of a statement needs a new attestation.",
        },
      ],
    },
    {
      title: "In a program",
      parts: [
        {
          text: "A closed gate is a 403. Retrying does not help: a person has to confirm first. Stop, and tell that person what to do. Never set `person_rights_confirmed` by default: it is the confirmation of the person who sends this request.",
        },
        { snippet: "gateRefusal" },
      ],
    },
  ],
};

const noCaps = "This gateway has no extensions, so it has no caps per task.";

export const capsGuide: Guide = {
  sections: [
    {
      title: "What a cap does",
      parts: [
        {
          text: "An agent in a loop spends until a budget of its key is used up, and then all its work stops. A cap per task stops only the loop: each value of one metadata key, such as `session`, is a task with its own limit in money, in runs, or in both.",
        },
        {
          list: [
            "Set it under Budgets on a [key](/keys), on the page that connects an agent, or for the whole account in the [settings](/settings).",
            "A run that does not name its task is rejected with 400. Otherwise a caller could evade the cap by leaving the key out.",
            "A run is rejected with 402 if it could exceed the cap. Many runs at once never exceed it together.",
            "A key with a cap can neither change the cap nor create keys. It can choose new values, so also give it a budget, which limits all its tasks together.",
          ],
        },
        { snippet: "cappedKey" },
      ],
      missing: noCaps,
    },
    {
      title: "Name the task",
      parts: [
        {
          text: "Send the metadata key with each run, in the field `metadata` or in the header `x-svc-metadata`. In a 402, the field `error.task` contains the amount that the task has spent, and its limits. Do not retry it: stop, and ask a person.",
        },
        { snippet: "cappedRuns" },
      ],
      missing: noCaps,
    },
    {
      title: "Raise and end",
      parts: [
        {
          text: "[Tasks](/usage/tasks) lists what each task spent. When a run of a connection is rejected, the owner of the connection gets a notice with a button that doubles the cap of that task.",
        },
        {
          list: [
            "Raise gives one task a higher cap. All runs since its first one count toward this cap. The caps of other tasks do not change.",
            "End rejects every further run of a task, until somebody raises its cap. Runs that have already started finish, and are billed.",
            "A task is forgotten 30 days after its last run. The same value then starts at zero.",
            "Programs can do the same with `POST /tasks/{id}/raise` and `POST /tasks/{id}/end`.",
          ],
        },
      ],
      missing: noCaps,
    },
  ],
};
