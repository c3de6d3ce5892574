/** Go, standard library only. */
export const go = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

func verify(rawBody []byte, header string, secret []byte) bool {
	var timestamp string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			timestamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - sent
	if err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, signature := range signatures {
		given, err := hex.DecodeString(signature)
		if err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		// The raw bytes: verify before anything parses them.
		rawBody, err := io.ReadAll(r.Body)
		if err != nil || !verify(rawBody, r.Header.Get("x-svc-signature"), secret) {
			http.Error(w, "signature refused", http.StatusBadRequest)
			return
		}
		var event struct{ ID, Type string }
		if err := json.Unmarshal(rawBody, &event); err != nil {
			http.Error(w, "not JSON", http.StatusBadRequest)
			return
		}
		// Deliveries come at least once: skip an event.ID that you have handled.
		log.Println(event.ID, event.Type)
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
`;
