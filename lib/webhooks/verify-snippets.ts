import { curl } from "./snippets/curl.ts";
import { go } from "./snippets/go.ts";
import { node } from "./snippets/node.ts";
import { nodeStripe } from "./snippets/node-stripe.ts";
import { php } from "./snippets/php.ts";
import { python } from "./snippets/python.ts";

export interface VerifySnippet {
  id: string;
  label: string;
  /** The highlighter's name of the language. */
  language: string;
  fileName: string;
  /** The command that starts it, in one line. */
  run: string;
  code: string;
}

/** Complete receivers: each runs as it is, and the tests run it. */
export const verifySnippets: readonly VerifySnippet[] = [
  {
    id: "node-stripe",
    label: "Node (stripe)",
    language: "javascript",
    fileName: "receiver.mjs",
    run: "npm install stripe && WEBHOOK_SECRET=whsec_… node receiver.mjs",
    code: nodeStripe,
  },
  {
    id: "node",
    label: "Node",
    language: "javascript",
    fileName: "receiver.mjs",
    run: "WEBHOOK_SECRET=whsec_… node receiver.mjs",
    code: node,
  },
  {
    id: "python",
    label: "Python",
    language: "python",
    fileName: "receiver.py",
    run: "WEBHOOK_SECRET=whsec_… python3 receiver.py",
    code: python,
  },
  {
    id: "go",
    label: "Go",
    language: "go",
    fileName: "receiver.go",
    run: "WEBHOOK_SECRET=whsec_… go run receiver.go",
    code: go,
  },
  {
    id: "php",
    label: "PHP",
    language: "php",
    fileName: "receiver.php",
    run: "WEBHOOK_SECRET=whsec_… php -S 0.0.0.0:8080 receiver.php",
    code: php,
  },
  {
    id: "curl",
    label: "curl",
    language: "shellscript",
    fileName: "send-test.sh",
    run: "WEBHOOK_SECRET=whsec_… RECEIVER_URL=http://localhost:8080 sh send-test.sh",
    code: curl,
  },
];
