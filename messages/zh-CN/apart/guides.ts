/** The guides, by the English text in `lib/guides/`. Code, addresses and names of programs are the same in every language. */
export default {
  "Create a key": "创建密钥",
  "Create an account key on [Keys](/keys) and put it in the environment variable `GATEHOUSE_API_KEY`. It is shown only once. Keep it on your server: never in a browser, an app or a repository.":
    "在[密钥](/keys)页面创建账户密钥，并存入环境变量 `GATEHOUSE_API_KEY`。密钥只显示一次，请保存在服务器上，切勿放进浏览器、应用或代码仓库。",
  "This gateway has no page for keys. Ask its operator for one: `gatehouse keys create`.":
    "此网关没有密钥页面。请让运维人员用 `gatehouse keys create` 为你创建一个密钥。",
  "Send a request": "发送请求",
  "The base URL is `{base}`. Send the key as the bearer token of every request.":
    "基础 URL 是 `{base}`。每个请求都要带上密钥作为 Bearer 令牌。",
  "The Node.js code needs `npm install openai`. Clients for OpenAI work unchanged when their base URL is set. The shell code of these guides uses curl and jq.":
    "运行 Node.js 代码之前，请先执行 `npm install openai`。OpenAI 的客户端只要设置基础 URL 就能直接使用。各指南中的 shell 代码使用 curl 和 jq。",
  "Choose a model": "选择模型",
  "The [catalog](/catalog) lists every model with its parameters, limits and regions. The same list is public at `GET /models`:":
    "[模型目录](/catalog)列出每个模型及其参数、限额和区域。同样的列表也可通过 `GET /models` 获取，无需密钥：",
  "In the playground of a model, the Code tab shows your own request in three languages. The [API reference](/api-reference) has every route.":
    "在模型的试用台中，“代码”选项卡用三种编程语言显示你当前的请求。[API 参考](/api-reference)列出所有 API 路由。",
  "Request a stream": "请求流式输出",
  "Send `stream: true` to receive a chat answer as server-sent events while it is written. With `stream_options.include_usage`, the last chunk contains the token counts.":
    "发送 `stream: true`，即可通过服务器发送事件（SSE）边生成边接收对话回答。使用 `stream_options.include_usage` 时，最后一个数据块包含 Token 计数。",
  "Know when the stream has ended": "判断流是否已结束",
  "A complete answer ends with `data: [DONE]`. A stream that closes without it was cut off: show what arrived, and say that it is incomplete.":
    "完整的回答以 `data: [DONE]` 结尾。如果流关闭前没有收到这一行，说明回答已中断：请显示已收到的内容，并注明不完整。",
  "An error before the first chunk is an ordinary [error answer](/guides/errors). A later error is a chunk with `error`.":
    "第一个数据块之前出错时，返回普通的[错误响应](/guides/errors)；之后出错时，发送带有 `error` 的数据块。",
  "After every 15 s of silence, a line that starts with `:` keeps the connection open. Skip these lines.":
    "连续 15 秒没有数据时，网关会发送以 `:` 开头的一行来保持连接。请跳过这些行。",
  "Close the connection to stop. The gateway also stops the model, and charges for the output so far.":
    "要停止生成，关闭连接即可。网关也会让模型停止运行，并对已输出的部分收费。",
  "The OpenAI SDK": "OpenAI SDK",
  "Chat completions and Responses both run every chat model of the [catalog](/catalog). A response is stored for the retention time, so the next request needs only its id; send `store: false` to store nothing.":
    "用 Chat Completions 和 Responses 都能运行[模型目录](/catalog)中的所有对话模型。响应会在保留期内存储，因此下一个请求只需引用其 ID；发送 `store: false` 则不存储任何内容。",
  "This gateway has chat completions only: see [First call](/guides/first-call).":
    "此网关只支持 Chat Completions，请参阅[首次调用](/guides/first-call)。",
  "Batches with the OpenAI SDK": "用 OpenAI SDK 运行批次",
  "Files and batches work as they do at OpenAI. You upload a file with one request on each line, for chat completions, responses, embeddings, images or edits. Here this is an ordinary [batch](/batches), with the same budgets and gates.":
    "文件和批次的用法与 OpenAI 相同。上传一个文件，每行一个请求，请求可以是 Chat Completions、Responses、嵌入向量、图片生成或图片编辑。在此网关上，这样的文件就是普通的[批次](/batches)，适用相同的预算和关卡。",
  "A file has up to 1,000 requests and 16 MB. A line that cannot run is in the error file, with its line number.":
    "一个文件最多包含 1,000 个请求，最大 16 MB。无法运行的行会连同行号写入错误文件。",
  "Requests that have not run after 24 hours expire. The output file is stored for another 24 hours, and each image for 24 hours after it was made.":
    "24 小时后仍未运行的请求会过期。输出文件会再存储 24 小时，每张图片则在生成后存储 24 小时。",
  "This gateway has no batches.": "此网关不支持批次。",
  "The AI SDK": "AI SDK",
  "The OpenAI provider of the AI SDK calls Responses. Install `ai` and `@ai-sdk/openai`.":
    "AI SDK 的 OpenAI 提供方会调用 Responses。请安装 `ai` 和 `@ai-sdk/openai`。",
  "Use `@ai-sdk/openai-compatible` here: it calls chat completions.":
    "在此网关上请使用调用 Chat Completions 的 `@ai-sdk/openai-compatible`。",
  "The Anthropic SDK": "Anthropic SDK",
  "The Messages API also runs every chat model, with tools, streams and token counts.":
    "用 Messages API 也能运行所有对话模型，支持工具、流式输出和 Token 计数。",
  "This gateway does not have Anthropic's Messages API.": "此网关不支持 Anthropic 的 Messages API。",
  "Model names of other providers": "其他提供方的模型名称",
  "Programs that ask for `gpt-5` or `claude-sonnet-5` need no change: an [alias](/aliases) maps such a name to models of the catalog. If the first model cannot run, the gateway uses the next one.":
    "请求 `gpt-5` 或 `claude-sonnet-5` 的程序无需修改：[别名](/aliases)会将这样的名称对应到模型目录中的模型。如果第一个模型无法运行，网关会使用下一个。",
  "Set the program's model to a model of the [catalog](/catalog).":
    "请让程序使用[模型目录](/catalog)中的模型。",
  "Coding agents": "编程智能体",
  "An agent needs the base URL, a key and a model of the catalog that calls functions.":
    "智能体需要基础 URL、密钥，以及模型目录中能调用函数的模型。",
  Agent: "智能体",
  Settings: "设置",
  "Environment: `ANTHROPIC_BASE_URL={base}`, `ANTHROPIC_AUTH_TOKEN` with the key, `ANTHROPIC_MODEL=svc/chat-1`, and `CLAUDE_CODE_MAX_OUTPUT_TOKENS` within the model's limit":
    "环境变量：`ANTHROPIC_BASE_URL={base}`、`ANTHROPIC_MODEL=svc/chat-1`、`ANTHROPIC_AUTH_TOKEN`（填入密钥）和 `CLAUDE_CODE_MAX_OUTPUT_TOKENS`（不超过模型的输出上限）",
  'In `config.toml`: a provider with `base_url = "{base}"`, `env_key = "GATEHOUSE_API_KEY"` and `wire_api = "responses"`, and its name as `model_provider`':
    '在 `config.toml` 中：添加提供方，设置 `base_url = "{base}"`、`env_key = "GATEHOUSE_API_KEY"` 和 `wire_api = "responses"`，并将 `model_provider` 设为该提供方的名称',
  Others: "其他",
  "In the settings for an OpenAI-compatible server: `{base}` as the base URL, and the key":
    "在 OpenAI 兼容服务器的设置中：将基础 URL 设为 `{base}`，并填入密钥",
  "Web search runs only at OpenAI and Anthropic. This gateway removes that tool from the request, and names the tool in a header of the answer. Tools that need another machine are refused.":
    "联网搜索只能在 OpenAI 和 Anthropic 上运行。此网关会从请求中移除该工具，并在响应头中注明工具的名称。网关会拒绝需要在其他机器上运行的工具。",
  "Agents that use chat completions work with `{base}` as the base URL.":
    "使用 Chat Completions 的智能体只要将基础 URL 设为 `{base}` 即可。",
  Connect: "连接",
  "Agents find the gateway's tools at `{mcp}`, over the Model Context Protocol (streamable HTTP). Give an agent this address: it opens a page of this console, where you choose the models that it may run, its budget and its expiry. Each connection is listed under [Connections](/settings/connections), where you can end it. A [cap per task](/guides/caps-per-task) stops an agent in a loop.":
    "网关的工具位于 `{mcp}`，供智能体通过 Model Context Protocol（Streamable HTTP）使用。智能体用此地址连接时，会打开此控制台的一个页面，由你选择可运行的模型、预算和有效期。每个连接都列在[连接](/settings/connections)页面，你可以在那里断开连接。[任务上限](/guides/caps-per-task)可以让陷入循环的智能体停下来。",
  How: "方法",
  "Hosted (claude.ai, ChatGPT and the like)": "托管的智能体（claude.ai、ChatGPT 等）",
  "Add a custom connector with the address `{mcp}`": "用地址 `{mcp}` 添加自定义连接器",
  "`claude mcp add --transport http gatehouse {mcp}`, then `/mcp` to sign in":
    "`claude mcp add --transport http gatehouse {mcp}`，然后用 `/mcp` 登录",
  "`codex mcp add gatehouse --url {mcp}`, then `codex mcp login gatehouse`":
    "`codex mcp add gatehouse --url {mcp}`，然后运行 `codex mcp login gatehouse`",
  "Desktop and editors": "桌面应用和编辑器",
  'In their list of servers: `"gatehouse": { "url": "{mcp}" }`':
    '在服务器列表中：`"gatehouse": { "url": "{mcp}" }`',
  "Hosted agents reach only a gateway with a public https address, and its operator must have set that address (`GATEWAY_PUBLIC_URL`).":
    "托管的智能体只能访问有公网 https 地址的网关，而且须由运维人员设置此地址（`GATEWAY_PUBLIC_URL`）。",
  "The page that opens in this console shows how certain the client’s identity is: confirmed by its own host, or registered by the client itself under any name.":
    "在此控制台打开的页面会显示客户端的身份是否可信：是由客户端自己的主机确认，还是由客户端以任意名称自行注册。",
  "If a token is used twice, it may be stolen, so the gateway ends the connection. Connect again.":
    "同一令牌如果使用了两次，就可能已被盗，因此网关会断开使用该令牌的连接。请重新连接。",
  "This gateway has no tools for agents.": "此网关没有供智能体使用的工具。",
  "Connect with a key": "使用密钥连接",
  "Programs without a person, and agents that accept a header, use a [key](/keys) as the bearer. The key’s models, limits, budget and expiry apply to everything that the agent does, and revoking the key stops the agent.":
    "无人值守的程序，以及可以设置请求头的智能体，使用[密钥](/keys)作为 Bearer 令牌。密钥的模型、限制、预算和有效期适用于智能体的所有操作，吊销密钥即可停止智能体。",
  'In `config.toml`: `[mcp_servers.gatehouse]` with `url = "{mcp}"` and `bearer_token_env_var = "GATEHOUSE_API_KEY"`':
    '在 `config.toml` 中：`[mcp_servers.gatehouse]`，包含 `url = "{mcp}"` 和 `bearer_token_env_var = "GATEHOUSE_API_KEY"`',
  'In their list of servers: `"gatehouse": { "url": "{mcp}", "headers": { "Authorization": "Bearer …" } }`':
    '在服务器列表中：`"gatehouse": { "url": "{mcp}", "headers": { "Authorization": "Bearer …" } }`',
  "What agents can do": "智能体能做什么",
  Tool: "工具",
  "What it does": "作用",
  "Finds the models it may use": "查找智能体可以使用的模型",
  "Describes the input of a model, with an example": "描述模型的输入，并附示例",
  "Runs a model, waits up to 50 seconds, and reports progress meanwhile":
    "运行模型，最多等待 50 秒，期间报告进度",
  "Reads the result of a longer run, or waits for it": "运行耗时较长时，读取其结果或等待运行完成",
  "Stops a run": "停止运行",
  "Creates a signed URL to upload a file to": "创建用于上传文件的签名 URL",
  "Pictures, speech and videos are returned as temporary URLs, never as base64, which would fill the agent’s context. With `show` it also gets small previews. Every call is listed in [Requests](/requests) and [Usage](/usage), under its key or connection.":
    "图片、语音和视频以临时 URL 返回，不使用 base64，以免占满智能体的上下文。使用 `show` 时还会返回小尺寸的预览图。每次调用都记在相应的密钥或连接名下，可在[请求](/requests)和[用量](/usage)页面查看。",
  "What only a person can do": "只有人能做的事",
  "An agent cannot attest, and cannot confirm the rights of a person in a picture: it gets a link for you instead. A model that needs an attestation runs for an agent only with a key or a consent that names this model, and while your attestation is valid. See [Gates](/guides/gates).":
    "智能体不能提交声明，也不能确认图片中人物的权利，只会得到一个链接，由你打开并确认。需要声明的模型，只有在密钥或授权明确包含该模型且你的声明有效时，才能由智能体运行。请参阅[关卡](/guides/gates)。",
  "What a cap does": "上限的作用",
  "An agent in a loop spends until a budget of its key is used up, and then all its work stops. A cap per task stops only the loop: each value of one metadata key, such as `session`, is a task with its own limit in money, in runs, or in both.":
    "陷入循环的智能体会不断产生费用，直到用完密钥的预算，所有工作随之停止。任务上限只会让循环停下来：指定一个元数据键（例如 `session`）后，该键的每个值都是一个任务，各有自己的金额上限或运行次数上限，也可以两者兼有。",
  "Set it under Budgets on a [key](/keys), on the page that connects an agent, or for the whole account in the [settings](/settings).":
    "可在[密钥](/keys)的“预算”中或连接智能体的页面上设置上限，也可在[设置](/settings)中为整个账户设置。",
  "A run that does not name its task is rejected with 400. Otherwise a caller could evade the cap by leaving the key out.":
    "网关会拒绝未指明任务的运行，并返回 400。否则，调用方只要省略元数据键就能绕过上限。",
  "A run is rejected with 402 if it could exceed the cap. Many runs at once never exceed it together.":
    "网关会拒绝可能超出上限的运行，并返回 402。即使许多运行同时进行，合计也不会超出上限。",
  "A key with a cap can neither change the cap nor create keys. It can choose new values, so also give it a budget, which limits all its tasks together.":
    "设有任务上限的密钥既不能更改此上限，也不能创建密钥。但使用此密钥的程序可以改用新的元数据值，因此还应为此密钥设置预算，以限制其所有任务的总花费。",
  "This gateway has no extensions, so it has no caps per task.": "此网关没有扩展功能，因此不支持任务上限。",
  "Name the task": "指明任务",
  "Send the metadata key with each run, in the field `metadata` or in the header `x-svc-metadata`. In a 402, the field `error.task` contains the amount that the task has spent, and its limits. Do not retry it: stop, and ask a person.":
    "每次运行都要带上元数据键，放在字段 `metadata` 或请求头 `x-svc-metadata` 中。402 响应的字段 `error.task` 包含任务已花费的金额和任务的上限。此时不要重试，应停止运行并询问相关人员。",
  "Raise and end": "提高上限与结束任务",
  "[Tasks](/usage/tasks) lists what each task spent. When a run of a connection is rejected, the owner of the connection gets a notice with a button that doubles the cap of that task.":
    "[任务](/usage/tasks)页面列出每个任务的花费。某个连接的运行被拒绝时，该连接的所有者会收到通知，可用通知中的按钮将任务的上限加倍。",
  "Raise gives one task a higher cap. All runs since its first one count toward this cap. The caps of other tasks do not change.":
    "选择“提高上限”，可为单个任务设置更高的上限。从该任务的第一次运行起，所有运行都计入此上限。其他任务的上限不变。",
  "End rejects every further run of a task, until somebody raises its cap. Runs that have already started finish, and are billed.":
    "选择“结束”后，网关会拒绝该任务的所有后续运行，直到有人提高其上限。已开始的运行会继续完成并收费。",
  "A task is forgotten 30 days after its last run. The same value then starts at zero.":
    "任务在最后一次运行 30 天后清除，之后相同的值从零开始计算。",
  "Programs can do the same with `POST /tasks/{id}/raise` and `POST /tasks/{id}/end`.":
    "程序可以通过 `POST /tasks/{id}/raise` 和 `POST /tasks/{id}/end` 提高上限或结束任务。",
  "Upload in three steps": "三步完成上传",
  "Announce the file, send its bytes to the signed URL, and let the gateway verify them. Then use the `reference` (`upload://upl_…`) wherever a request accepts media. This example transcribes a recording:":
    "先登记文件，再将文件内容发送到签名 URL，最后由网关验证。之后，凡是可以传入媒体的请求，都可以使用 `reference`（`upload://upl_…`）。下面的示例转写一段录音：",
  "Send the headers in `upload_headers` with the bytes. The signed URL is valid for 15 minutes, for one file of the announced length.":
    "发送文件内容时，请带上 `upload_headers` 中的请求头。签名 URL 的有效期为 15 分钟，只能用来上传一个大小与登记一致的文件。",
  "Add `sha256` when you announce the file, and the verification compares it.":
    "登记文件时加上 `sha256`，网关会在验证时比对。",
  "A file whose bytes do not match its type is `rejected`, and `error` says why.":
    "如果文件内容与类型不符，状态为 `rejected`，原因见 `error`。",
  "A request also takes an `https` URL or a `data:` URI, and most media routes take multipart forms. An upload is best for private or large files, and for files that you use more than once.":
    "请求中也可以使用 `https` URL 或 `data:` URI，大多数媒体 API 路由还接受 multipart 表单。上传最适合私密文件、大文件，以及要多次使用的文件。",
  "Continue after a broken connection": "连接中断后继续",
  "A large upload over a bad connection need not start over. Instead of the PUT, send the file to the `resume_url` of the upload with any client of [tus 1.0](https://tus.io), such as `tus-js-client` with `uploadUrl`. Then verify as above.":
    "网络不佳时，大文件不必从头重新上传。请不要发送 PUT 请求，改用任意 [tus 1.0](https://tus.io) 客户端（例如设置了 `uploadUrl` 的 `tus-js-client`）将文件发送到 `resume_url`，然后按上述方式验证。",
  "`HEAD` returns the stored size in `Upload-Offset`; `PATCH` sends the bytes from there. Send one request at a time: a second one gets 423 `upload_locked`.":
    "`HEAD` 在 `Upload-Offset` 中返回已存储的大小；`PATCH` 从该位置起发送其余内容。一次只能发送一个请求，否则第二个请求会收到 423 `upload_locked`。",
  "A started upload waits 24 hours for its next part. Read the upload again (`GET /v1/uploads/{id}`) for a fresh `resume_url`.":
    "上传开始后，两部分之间最多间隔 24 小时。重新读取该上传文件（`GET /v1/uploads/{id}`）即可获得新的 `resume_url`。",
  "After a restart, compare your file with the hashes in `GET /v1/uploads/{id}/parts` before you continue.":
    "客户端重新启动后，请先将文件与 `GET /v1/uploads/{id}/parts` 中的哈希值比对，再继续上传。",
  "Types and sizes": "类型和大小",
  Media: "媒体",
  Types: "类型",
  "Up to": "大小上限",
  Images: "图片",
  "JPEG, PNG, WebP, GIF, BMP": "JPEG、PNG、WebP、GIF、BMP",
  Audio: "音频",
  "WAV, MP3, MP4, Ogg, FLAC, WebM": "WAV、MP3、MP4、Ogg、FLAC、WebM",
  Video: "视频",
  "MP4, QuickTime, WebM": "MP4、QuickTime、WebM",
  "A model may allow less: see its page in the [catalog](/catalog). Files expire 24 hours after they are verified; see [Retention](/guides/retention).":
    "部分模型的大小上限更低，请参阅[模型目录](/catalog)中该模型的页面。文件在验证后 24 小时过期，请参阅[保留期](/guides/retention)。",
  "Run and poll": "运行并轮询",
  "Operations that take longer than a request return 202 with a prediction. Poll its `poll_url` every 2 s until the status is `succeeded`, `failed` or `canceled`.":
    "无法在一次请求中完成的操作会返回 202 和一个预测任务。请每 2 秒轮询一次该预测任务的 `poll_url`，直到状态变为 `succeeded`、`failed` 或 `canceled`。",
  "If you have many predictions, add a [webhook](/guides/webhooks) instead of polling: it is faster, and it does not count against your request limit.":
    "如果预测任务很多，请添加 [Webhook](/guides/webhooks) 代替轮询：这样更快，而且不计入你的请求限额。",
  "Wait in the request": "在请求中等待",
  "With `Prefer: wait=60` the answer waits up to 60 s. If the run ends in time, the answer is 200, otherwise 202: then poll.":
    "使用 `Prefer: wait=60` 时，请求最多等待 60 秒。运行如果在此期间结束，响应为 200，否则为 202，此时请轮询。",
  "Read the result": "读取结果",
  "`output` is a list of URLs for images and one URL for a video. Each URL is signed and works until the file is removed, 24 hours after the prediction has ended.":
    "图片的 `output` 是 URL 列表，视频的则是单个 URL。每个 URL 都经过签名，在文件移除之前有效，即预测任务结束后 24 小时内。",
  "`error` says why a prediction failed. A failed or canceled prediction is not charged.":
    "`error` 说明预测任务失败的原因。失败或取消的预测任务不收费。",
  "`timeline` has the time of every step. The console draws it on the prediction's [page](/predictions).":
    "`timeline` 包含每个步骤的时间。控制台会在预测任务的[页面](/predictions)上用图形显示这些时间。",
  "A prediction that has not finished after 30 minutes fails.": "30 分钟后仍未完成的预测任务会失败。",
  "Cancel, list, run by model": "取消、列出、按名称运行模型",
  "`POST /predictions/{id}/cancel` cancels a run, `GET /predictions` lists them, and `POST /models/{namespace}/{name}/predictions` runs any model. The `replicate` package works with these routes unchanged:":
    "`POST /predictions/{id}/cancel` 用于取消预测任务，`GET /predictions` 用于列出预测任务，`POST /models/{namespace}/{name}/predictions` 用于运行任何模型。`replicate` 包无需修改即可使用这些 API 路由：",
  "This gateway has no extensions: it cannot cancel or list predictions, or run a model by its name.":
    "此网关没有扩展功能，因此不能取消或列出预测任务，也不能按名称运行模型。",
  "Add an endpoint": "添加端点",
  "Add the public HTTPS address of your receiver on [Endpoints](/webhooks/endpoints), or with this code: it adds the address in `WEBHOOK_URL` and does nothing if the variable is not set. The signing secret is shown only once: store it as `WEBHOOK_SECRET`.":
    "在[端点](/webhooks/endpoints)页面添加接收方的公网 HTTPS 地址，或使用以下代码添加 `WEBHOOK_URL` 中的地址；如果未设置该变量，代码不执行任何操作。签名密钥只显示一次，请存为 `WEBHOOK_SECRET`。",
  "Receive and verify": "接收并验证",
  "Every event is signed in `x-svc-signature`, as `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<raw body>` with the secret. During a rotation there is one `v1` per valid secret. The headers of Standard Webhooks are sent too. If your receiver should not store a secret, check “Also sign with a key pair” in the settings of the endpoint: `webhook-signature` then also has `v1a,<base64>`, an Ed25519 signature over `<webhook-id>.<webhook-timestamp>.<raw body>`, and the page of the endpoint shows its public key (`whpk_…`).":
    "每个事件的签名都在请求头 `x-svc-signature` 中，格式为 `t=<unix seconds>,v1=<hex>`，即用签名密钥对 `<t>.<raw body>` 计算的 HMAC-SHA256。轮换期间，每个有效的签名密钥各有一个 `v1`。此外还会发送 Standard Webhooks 的请求头。如果接收方不应保存签名密钥，请在端点的设置中勾选“同时用密钥对签名”：`webhook-signature` 会额外带有 `v1a,<base64>`，即对 `<webhook-id>.<webhook-timestamp>.<raw body>` 的 Ed25519 签名，端点页面会显示其公钥（`whpk_…`）。",
  "Receivers named by a request": "由请求指定的接收方",
  "A run in the background may name its own receiver: `callback_url` in the body, or Replicate’s `webhook` with `webhook_events_filter`. It needs no endpoint. Models that answer at once refuse it.":
    "在后台运行时，请求可以指定自己的接收方：使用请求体中的 `callback_url`，或 Replicate 的 `webhook` 与 `webhook_events_filter`，无需添加端点。立即返回结果的模型会拒绝这样的请求。",
  "These deliveries are signed in the same way, all with one secret of the account: `GET {base}/webhooks/default/secret` returns it as `key`, to owners, admins and keys with the scope `webhooks`. The verification code above works with it. With the `replicate` package, read it with `replicate.webhooks.default.secret.get()`, and pass the request and its `key` to `validateWebhook`. Its rotation and the allowed hosts are in [Settings](/settings).":
    "这些投递的签名方式与上文相同，都用账户的同一个签名密钥签名：`GET {base}/webhooks/default/secret` 会在 `key` 中返回该密钥，所有者、管理员以及具有 `webhooks` 权限范围的密钥可以读取。上面的验证代码同样适用。使用 `replicate` 包时，请用 `replicate.webhooks.default.secret.get()` 读取签名密钥，并将收到的请求和读取结果中的 `key` 传给 `validateWebhook`。可以在[设置](/settings)中管理允许的主机、轮换签名密钥。",
  "This gateway has no extensions: requests cannot name receivers.":
    "此网关没有扩展功能，因此请求不能指定接收方。",
  Retries: "重试",
  "A delivery succeeds with a 2xx answer within 10 s from the moment it was sent. Otherwise it is tried eight times within about 15 hours, and then stays in the log as a dead letter. Redirects are not followed; `Retry-After` is obeyed up to one hour.":
    "发送后 10 秒内收到接收方的 2xx 响应，投递即成功。否则网关会继续尝试，在约 15 小时内共尝试八次，之后投递作为死信保留在日志中。网关不跟随重定向；按 `Retry-After` 等待，最长一小时。",
  "Retry deliveries on [Deliveries](/webhooks/deliveries), or with this code: it retries the newest dead letters, up to 100, of the endpoint in `ENDPOINT_ID`, and skips those that were already retried. A retry sends the same bytes and never runs the model again.":
    "可在[投递](/webhooks/deliveries)页面重试投递，或使用以下代码重试 `ENDPOINT_ID` 所指端点的最新死信（最多 100 个，已重试过的会跳过）。重试时发送的内容完全相同，也不会再次运行模型。",
  "After an outage, choose “Send events again…” on the page of the endpoint: it counts the events missed since a given time, and sends them in the background. To stop deliveries, send the header `x-svc-deliveries: stop` with any answer, or answer `410 Gone` to three attempts of a delivery in a row: the endpoint is disabled, and its deliveries wait.":
    "故障恢复后，请在端点页面选择“重新发送事件…”：网关会统计自指定时间以来错过的事件，并在后台发送。要停止投递，可在任意响应中带上响应头 `x-svc-deliveries: stop`，或对同一投递的连续三次尝试返回 `410 Gone`：端点随即停用，其投递会等到重新启用后再继续。",
  "Get notified of problems": "接收问题通知",
  "Subscribe a second endpoint to `endpoint.failing`, `endpoint.disabled`, `endpoint.recovered` and `delivery.exhausted`: a dead endpoint cannot report itself. [Event types](/webhooks/event-types) has the schema and an example of every event.":
    "请另用一个端点订阅 `endpoint.failing`、`endpoint.disabled`、`endpoint.recovered` 和 `delivery.exhausted`，因为失效的端点无法报告自己的问题。[事件类型](/webhooks/event-types)页面列出每种事件的模式和示例。",
  "This gateway has no extensions: check the list of deliveries for dead letters.":
    "此网关没有扩展功能。请在投递列表中查看是否有死信。",
  "Receive without a public address": "没有公网地址时接收事件",
  "Call `GET {base}/events?after=<cursor>` from time to time, and pass the `cursor` of each answer to the next call: no event is skipped or repeated. `has_more` means that more events are waiting.":
    "定期调用 `GET {base}/events?after=<cursor>`，并将每次响应中的 `cursor` 传给下一次调用，这样事件既不会遗漏，也不会重复。`has_more` 表示还有更多事件。",
  "This gateway has no extensions: read predictions until they end.":
    "此网关没有扩展功能。请反复读取预测任务，直到其结束。",
  "Develop without a public URL": "没有公网 URL 时如何开发",
  "In a copy of Gatehouse, `npm run -s gatehouse -- listen --gateway {base} --forward-to http://localhost:8080/hook` forwards each event to your program, signed. [Endpoints](/webhooks/endpoints) has a form that checks a signature and explains why it does not match.":
    "在 Gatehouse 的代码目录中运行 `npm run -s gatehouse -- listen --gateway {base} --forward-to http://localhost:8080/hook`，即可将每个带签名的事件转发到你的本地程序。在[端点](/webhooks/endpoints)页面的表单中可以检查签名，不匹配时会说明原因。",
  "This gateway has no extensions, so `listen` does not work with it. Use a tunnel to your machine, and check signatures with the code above.":
    "此网关没有扩展功能，因此不能使用 `listen`。请使用通往本机的隧道，并用上面的代码检查签名。",
  "Send an idempotency key": "发送幂等键",
  "A request whose answer never arrives may have run. Send an `Idempotency-Key` with every POST that creates something, one key for each thing that you want to create, and retry with the same key. The first result is stored for 24 hours and returned again, so you pay once.":
    "即使没有收到响应，请求也可能已经运行。请在每个用于创建对象的 POST 请求中发送 `Idempotency-Key`，每个要创建的对象使用一个键，并用相同的键重试。首次结果会存储 24 小时，重试时返回同一结果，因此你只需付费一次。",
  "The second request": "第二个请求",
  "The answer": "响应",
  "Same key, same body": "相同的键，相同的请求体",
  "The first result, and `Idempotent-Replayed: true`": "首次结果，以及 `Idempotent-Replayed: true`",
  "Same key, other body": "相同的键，不同的请求体",
  "While the first still runs": "第一个请求仍在运行",
  "409 `idempotency_in_progress`: retry later": "409 `idempotency_in_progress`：稍后重试",
  "After a rejected request or a broken stream": "请求被拒绝或流中断之后",
  "A new run: these results are not stored": "会重新运行，因为这类结果不会存储",
  "What to retry": "哪些情况应重试",
  Answer: "响应",
  "Retry?": "是否重试",
  "None: the connection broke": "没有响应：连接中断",
  "Yes, with the same idempotency key": "是，使用相同的幂等键",
  "408, 429, 409 `idempotency_in_progress`": "408、429、409 `idempotency_in_progress`",
  "Yes, after `Retry-After`": "是，等待 `Retry-After` 指定的时间后重试",
  "A few times, waiting longer each time. Not automatically with `x-should-retry: false`":
    "可重试几次，并逐次延长等待时间。响应带有 `x-should-retry: false` 时不要自动重试",
  "Any other 4xx": "其他 4xx",
  "No: change the request first. Retrying does not open a [gate](/guides/gates)":
    "否，应先修改请求。重试并不能通过[关卡](/guides/gates)",
  "`x-should-retry: false` means that the run may have started, or that a retry would fail the same way. Clients for OpenAI obey it; curl does not, so use `--retry` only where a second run does no harm.":
    "`x-should-retry: false` 表示运行可能已经开始，或重试也会同样失败。OpenAI 的客户端会遵守，curl 则不会，因此只有重复运行也无妨时，才使用 `--retry`。",
  "The gateway retries at the provider for you when that is safe: only before the first byte was sent, and never for a picture, video or sound whose creation may have started.":
    "在安全的情况下，网关会替你重新调用提供方：只在向你发送第一个字节之前重试；图片、视频或音频如果可能已经开始生成，则不重试。",
  "Read an error": "读懂错误",
  "Every error has the same shape. Decide by `code`, never by `message`. `param` names the field, and `details` lists every problem. Keep `request_id` for questions to the operator.":
    "所有错误的结构都相同。请根据 `code` 判断，不要根据 `message`。`param` 指出有误的字段，`details` 列出所有问题。请保留 `request_id`，以便向运维人员咨询。",
  "What to do": "如何处理",
  Status: "状态码",
  Meaning: "含义",
  Do: "处理方法",
  "400, 413, 415": "400、413、415",
  "The request is wrong": "请求有误",
  "Fix the field in `param`": "修改 `param` 指出的字段",
  "The key is missing, wrong, expired or revoked": "密钥缺失、错误、已过期或已吊销",
  "Use a valid key": "使用有效的密钥",
  "A budget, or the cap of a task, has no room for this run": "预算或任务上限不足以完成此次运行",
  "Raise it, or wait until it resets. `error.task` names a capped [task](/guides/caps-per-task)":
    "提高预算或上限，也可以等待重置。`error.task` 指出设有上限的[任务](/guides/caps-per-task)",
  "Not allowed for this key, or a safety gate": "此密钥没有权限，或未通过安全关卡",
  "Use another key, or see [Gates](/guides/gates)": "使用其他密钥，或参阅[关卡](/guides/gates)",
  "The object does not exist in this account": "该对象在此账户中不存在",
  "Check the id": "检查 ID",
  "Not possible in the object's current state": "对象的当前状态不允许此操作",
  "Read the object again": "重新读取该对象",
  "The object's data was removed": "对象的数据已移除",
  "Run it again; see [Retention](/guides/retention)": "重新运行，请参阅[保留期](/guides/retention)",
  "The model refused the content": "输入或输出违反了内容政策",
  "Change the content": "修改内容",
  "Too many requests at once or per minute": "并发请求或每分钟的请求过多",
  "Wait for `Retry-After`": "等待 `Retry-After` 指定的时间",
  "502, 503, 504": "502、503、504",
  "The model or a region failed": "模型或区域出现故障",
  "[Retry](/guides/idempotency)": "[重试](/guides/idempotency)",
  "Look up a request": "查找请求",
  "[Requests](/requests) lists the account's requests with their codes and request ids.":
    "[请求](/requests)页面列出此账户的请求及其错误代码和请求 ID。",
  "This gateway has no extensions, so it keeps no request log. Ask its operator with the request id.":
    "此网关没有扩展功能，因此不保存请求日志。请向运维人员咨询，并提供请求 ID。",
  Limits: "限额",
  "600 operation requests per minute and 50 at once for each key, unless the operator or the key says otherwise. Other requests: 6,000 per minute.":
    "除非运维人员或密钥另有设置，每个密钥每分钟最多 600 个操作请求，同时最多 50 个。其他请求每分钟最多 6,000 个。",
  "The answer of an operation has `RateLimit` and `x-ratelimit-*` headers with the remaining limits.":
    "操作的响应头 `RateLimit` 和 `x-ratelimit-*` 给出剩余限额。",
  "JSON has at most 250,000 values and 100 levels. What a model accepts is on its page in the [catalog](/catalog).":
    "JSON 最多包含 250,000 个值，最多嵌套 100 层。模型接受哪些内容，请参阅[模型目录](/catalog)中该模型的页面。",
  "All live uploads of an account together: 20 GB by default.":
    "每个账户的有效上传文件合计默认不超过 20 GB。",
  "Three gates": "三道关卡",
  Gate: "关卡",
  Asks: "要求",
  Code: "错误代码",
  Adult: "成人内容",
  "A person attests once that they are an adult": "本人提交一次声明，确认自己已成年",
  "Portrait rights": "肖像权",
  "A person attests once that they hold the rights to the portraits they use":
    "本人提交一次声明，确认自己拥有所用肖像的权利",
  "Person rights": "人物权利",
  "Every request contains `person_rights_confirmed: true`": "每个请求都包含 `person_rights_confirmed: true`",
  "A model's page in the [catalog](/catalog) names its gates. They are checked in this order, before anything runs or is charged.":
    "[模型目录](/catalog)中每个模型的页面会列出其关卡。网关会在运行和收费之前，按上表的顺序逐一检查。",
  Attest: "提交声明",
  "Read and confirm the statements on [Attestations](/attestations), signed in with e-mail and password. An attestation applies at once to the person's runs, also with their personal keys, and to the service keys that they are responsible for. The person can withdraw it at any time. A key cannot attest, and a new version of a statement needs a new attestation.":
    "用邮箱和密码登录后，在[声明](/attestations)页面阅读并确认声明。声明立即适用于本人的运行（包括使用其个人密钥的运行），以及由其负责的服务密钥。本人可以随时撤回。不能用密钥提交声明；声明有新版本时，需要重新提交。",
  "In a program": "在程序中",
  "A closed gate is a 403. Retrying does not help: a person has to confirm first. Stop, and tell that person what to do. Never set `person_rights_confirmed` by default: it is the confirmation of the person who sends this request.":
    "未通过关卡时返回 403。重试没有用：必须先由人确认。请让程序停下，并告诉相关人员该怎么做。切勿默认设置 `person_rights_confirmed`：此值代表请求发送者本人的确认。",
  "How long data is kept": "数据保留多久",
  What: "内容",
  Until: "保留到",
  "Upload that never received its bytes": "从未收到内容的上传文件",
  "Its signed URL expires, after 15 minutes": "签名 URL 过期，即 15 分钟后",
  "Verified upload": "已验证的上传文件",
  "24 hours after verification": "验证后 24 小时",
  "Answers in the output file of an OpenAI batch": "OpenAI 批次输出文件中的回答",
  "24 hours after the batch ended; images 24 hours after they were made":
    "批次结束后 24 小时；图片为生成后 24 小时",
  "Input and output of a prediction": "预测任务的输入和输出",
  "24 hours after it finished; then `data_removed` is true": "结束后 24 小时；之后 `data_removed` 为 true",
  "Prediction itself: status, times, usage": "预测任务本身：状态、时间、用量",
  "For as long as the gateway keeps its history; see [Settings](/settings)":
    "到网关的历史记录保留期满为止，请参阅[设置](/settings)",
  "Output that somebody keeps in the [library](/library)": "保留到[素材库](/library)的输出",
  "Until its `kept_until`; null means until somebody removes it. The operator limits the time with `KEPT_DAYS`, and turns the library off with `KEEP_OUTPUTS=off`":
    "到 `kept_until` 为止；null 表示一直保留到有人移除。运维人员用 `KEPT_DAYS` 限制保留期，用 `KEEP_OUTPUTS=off` 关闭素材库",
  "Saved conversation": "已保存的会话记录",
  "Removed when nobody has changed it for as long as the gateway keeps its history (`HISTORY_DAYS`)":
    "在历史记录保留期（`HISTORY_DAYS`）内无人更改即移除",
  "Signed URL of an output": "输出的签名 URL",
  "As long as its file: 24 hours": "与文件相同：24 小时",
  "Signed URL of an upload": "上传文件的签名 URL",
  "15 minutes; read the upload again for a fresh one": "15 分钟；重新读取该上传文件可获得新的 URL",
  "Result for an idempotency key": "幂等键对应的结果",
  "24 hours": "24 小时",
  "Payload of a webhook event": "Webhook 事件的内容",
  "Until the retention time is over; then a retry returns 410": "保留期结束；之后重试返回 410",
  "The operator of a gateway may set shorter or longer times.": "网关的运维人员可以设置更短或更长的时间。",
  "Keep in the library": "保留到素材库",
  "Keep under an output, on its page or in the playground, copies it into the [library](/library), where it stays until somebody removes it, or until `kept_until`. A program asks `GET {base}/outputs?prediction_id=pred_…` for the ids of a prediction’s outputs (`out_…`), and calls `POST {base}/outputs/{id}/keep`. The `expires_at` of the answer is still that of the run’s own file.":
    "在输出的页面或试用台中，选择输出下方的“保留”，即可将输出复制到[素材库](/library)，一直保留到有人移除，或到 `kept_until` 为止。程序可通过 `GET {base}/outputs?prediction_id=pred_…` 获取预测任务各个输出的 ID（`out_…`），再调用 `POST {base}/outputs/{id}/keep`。响应中的 `expires_at` 仍表示运行本身的文件何时过期。",
  "This gateway has no extensions, and no library.": "此网关没有扩展功能，也没有素材库。",
  "Copy to your own storage": "复制到自己的存储",
  "Copy outputs when the [webhook](/guides/webhooks) arrives or the poll ends. The page of a [prediction](/predictions) shows the remaining time and can download all outputs at once.":
    "请在收到 [Webhook](/guides/webhooks) 或轮询结束时复制输出。在[预测任务](/predictions)的页面可以查看剩余时间，并一次下载所有输出。",
  "Prove what was made": "用凭证证明输出的来源",
  "Each prediction that has ended, each stored response and each sync run with stored files has a receipt: salted hashes of input and outputs, model, provider, region, times, gates, cost and deliveries, signed with Ed25519. The receipt stays when the data is removed; the page of the [prediction](/predictions) saves it, and [Check a file](/library/check-a-file) reads it.":
    "每个已结束的预测任务、每个存储的响应，以及每次存有文件的同步运行，都有一份凭证，其中包含输入和输出的加盐哈希、模型、提供方、区域、时间、关卡、费用和投递，并用 Ed25519 签名。数据移除后凭证仍会保留；可在[预测任务](/predictions)的页面保存凭证，并在[检查文件](/library/check-a-file)页面读取。",
  "Anybody can check it with the public keys at `/.well-known/gatehouse-receipts.json`; the check fails if a single byte was changed. This code checks the receipt of the prediction in `PREDICTION_ID`.":
    "任何人都可以用 `/.well-known/gatehouse-receipts.json` 中的公钥检查凭证；哪怕只改动一个字节，检查也不会通过。以下代码检查 `PREDICTION_ID` 所指预测任务的凭证。",
  "This gateway has no extensions, and makes no receipts.": "此网关没有扩展功能，也不生成凭证。",
  "Remove things earlier": "提前移除",
  "`DELETE /uploads/{id}` removes an upload and its bytes at once, as does Delete on [Uploads](/uploads).":
    "`DELETE /uploads/{id}` 会立即移除上传文件及其内容，效果与在[上传的文件](/uploads)页面选择“删除”相同。",
  "When a shared file is reported": "分享的文件被举报时",
  "A visitor of a shared page can report its file. That removes nothing: owners get a notice and decide on [Reports](/predictions/shared/reports), and so does the operator of the gateway.":
    "分享页面的访客可以举报页面上的文件。举报不会移除任何内容：所有者会收到通知，并在[分享链接的举报](/predictions/shared/reports)页面处理，网关的运维人员也可以处理。",
  "Removing deletes every stored file with the same bytes: outputs, kept outputs, uploads and the inputs of runs. The bytes are barred: keeping, sharing, copying or uploading them again fails with 403 `file_barred`. Copies in your own buckets stay; delete them there.":
    "移除时会删除内容完全相同的所有已存储文件：输出、保留的输出、上传文件以及运行的输入。内容相同的文件也禁止再次使用：保留、分享、复制或上传都会失败，返回 403 `file_barred`。你自己存储桶中的副本不受影响，需自行删除。",
  "This gateway has no extensions, and shares no files.": "此网关没有扩展功能，也不能分享文件。",
  "First call": "首次调用",
  "List models": "列出模型",
  "Streamed chat": "流式对话",
  "With the openai package": "使用 openai 包",
  "With the AI SDK": "使用 AI SDK",
  "With the Anthropic SDK": "使用 Anthropic SDK",
  "With the protocol's own client": "使用 MCP 官方客户端",
  "Create a key with a cap per task": "创建带任务上限的密钥",
  "Name the task, and stop at its cap": "指明任务，并在达到上限时停止",
  "Upload a file and use it": "上传文件并使用",
  "A batch with the openai package": "使用 openai 包运行批次",
  "Wait for the result": "等待结果",
  "With the replicate package": "使用 replicate 包",
  "Save the outputs of a prediction": "保存预测任务的输出",
  "Check the receipt of a prediction": "检查预测任务的凭证",
  "Retry the dead letters of an endpoint": "重试端点的死信",
  "Retry safely": "安全地重试",
  "Handle a gate": "处理未通过的关卡",
} as Readonly<Record<string, string>>;
