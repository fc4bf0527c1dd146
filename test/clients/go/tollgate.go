package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Tollgate is a connection to the REST interface with a secret key.
type Tollgate struct {
	URL, Key string
	Client   http.Client
}

// Refusal is an answer of the service that is no success.
type Refusal struct {
	Status  int    `json:"-"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (refusal *Refusal) Error() string {
	return fmt.Sprintf("%d %s: %s", refusal.Status, refusal.Code, refusal.Message)
}

// Get reads a path below /api/v1 into an answer.
func (tollgate *Tollgate) Get(path string, answer any) error {
	return tollgate.send(http.MethodGet, path, nil, "", answer)
}

// Post sends a change. A repeat with the same key gets the first answer, also after a lost connection.
func (tollgate *Tollgate) Post(path string, body any, idempotencyKey string, answer any) error {
	return tollgate.send(http.MethodPost, path, body, idempotencyKey, answer)
}

func (tollgate *Tollgate) send(method, path string, body any, idempotencyKey string, answer any) error {
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, strings.TrimRight(tollgate.URL, "/")+"/api/v1"+path, &text)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+tollgate.Key)
	request.Header.Set("Content-Type", "application/json")
	if method != http.MethodGet {
		if idempotencyKey == "" {
			idempotencyKey = randomKey()
		}
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	response, err := tollgate.Client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusBadRequest {
		refusal := &Refusal{Status: response.StatusCode}
		if err := json.NewDecoder(response.Body).Decode(refusal); err != nil {
			return err
		}
		return refusal
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

func randomKey() string {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		panic(err)
	}
	return hex.EncodeToString(key)
}

// Connect returns a connection that waits 30 seconds for an answer.
func Connect(url, key string) *Tollgate {
	return &Tollgate{URL: url, Key: key, Client: http.Client{Timeout: 30 * time.Second}}
}
