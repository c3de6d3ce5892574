/** PHP 8, no extension needed: `php -S 0.0.0.0:8080 receiver.php`. */
export const php = `<?php
const toleranceSeconds = 300;

function verify(string $rawBody, string $header, string $secret): bool
{
    $timestamp = '';
    $signatures = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', $part, 2) + ['', ''];
        if ($name === 't') $timestamp = $value;
        if ($name === 'v1') $signatures[] = $value;
    }
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > toleranceSeconds) {
        return false;
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) return true;
    }
    return false;
}

// The raw bytes: verify before anything parses them.
$rawBody = file_get_contents('php://input');
if (!verify($rawBody, $_SERVER['HTTP_X_SVC_SIGNATURE'] ?? '', getenv('WEBHOOK_SECRET'))) {
    http_response_code(400);
    exit('signature refused');
}
$event = json_decode($rawBody, true);
// Deliveries come at least once: skip an event id that you have handled.
error_log($event['id'] . ' ' . $event['type']);
http_response_code(204);
`;
