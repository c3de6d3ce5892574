import { writeFileSync } from "node:fs";
import { floats, type GgufTensor, type GgufValue, ggufFile } from "./gguf.ts";

/** The model's answer to everything; its last character takes four tokens. */
export const tinyModelSays = " Hello from a tiny model 🌊";
/** In tokens, with the end token. */
export const tinyModelTokens = 11;

const width = 64;
const feedForward = 32;
const context = 512;
/** Makes the next token almost certain at any temperature. */
const certainty = 50;

const byteTokens = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
);
const words = ["▁Hello", "▁from", "▁a", "▁tiny", "▁model", "▁"];
const controls = ["<s>", "</s>", "<|im_start|>", "<|im_end|>"];
const tokens = ["<unk>", ...controls, ...byteTokens, ...words];
/** llama.cpp's token types: 1 word, 2 unknown, 3 control, 6 byte. */
const kinds = tokens.map((token) =>
  token === "<unk>" ? 2 : controls.includes(token) ? 3 : byteTokens.includes(token) ? 6 : 1,
);
const idOf = (token: string) => tokens.indexOf(token);

/** The chain of tokens: the line break that ends the prompt, then each token of the answer. */
const said = ["<0x0A>", ...words, "<0xF0>", "<0x9F>", "<0x8C>", "<0x8A>", "<|im_end|>"];

/** ChatML, which small models use. */
const chatTemplate = [
  "{% for message in messages %}",
  "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}",
  "{% endfor %}",
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
].join("");

/**
 * A Llama model with one layer. Its attention adds nothing, so the next token depends only on the last one
 * and every processor gets the same answer.
 */
export function writeTinyModel(file: string): void {
  writeFileSync(file, ggufFile(metadata, tensors()));
}

const metadata: [string, GgufValue][] = [
  ["general.architecture", { text: "llama" }],
  ["general.name", { text: "Tiny" }],
  ["llama.vocab_size", { integer: tokens.length }],
  ["llama.block_count", { integer: 1 }],
  ["llama.context_length", { integer: context }],
  ["llama.embedding_length", { integer: width }],
  ["llama.feed_forward_length", { integer: feedForward }],
  ["llama.attention.head_count", { integer: 1 }],
  ["llama.attention.layer_norm_rms_epsilon", { float: 1e-5 }],
  ["llama.rope.dimension_count", { integer: width }],
  ["tokenizer.ggml.model", { text: "llama" }],
  ["tokenizer.ggml.tokens", { texts: tokens }],
  ["tokenizer.ggml.scores", { floats: tokens.map((_, index) => -index) }],
  ["tokenizer.ggml.token_type", { integers: kinds }],
  ["tokenizer.ggml.bos_token_id", { integer: idOf("<s>") }],
  ["tokenizer.ggml.eos_token_id", { integer: idOf("<|im_end|>") }],
  ["tokenizer.ggml.unknown_token_id", { integer: idOf("<unk>") }],
  ["tokenizer.ggml.add_space_prefix", { flag: false }],
  ["tokenizer.chat_template", { text: chatTemplate }],
];

function tensors(): GgufTensor[] {
  const embedding = floats([width, tokens.length], 0);
  const output = floats([width, tokens.length], 0);
  for (const [place, token] of said.slice(0, -1).entries()) {
    const next = said[place + 1] ?? "";
    embedding.values[idOf(token) * width + place] = 1;
    output.values[idOf(next) * width + place] = certainty;
  }
  return [
    { name: "token_embd.weight", ...embedding },
    { name: "output.weight", ...output },
    ...["output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"].map((name) => ({
      name: `${name}.weight`,
      ...floats([width], 1),
    })),
    ...["q", "k", "v", "output"].map((name) => ({
      name: `blk.0.attn_${name}.weight`,
      ...floats([width, width], 0),
    })),
    ...["gate", "up"].map((name) => ({
      name: `blk.0.ffn_${name}.weight`,
      ...floats([width, feedForward], 0),
    })),
    { name: "blk.0.ffn_down.weight", ...floats([feedForward, width], 0) },
  ];
}
