package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Event is what a webhook delivers.
type Event struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	ObjectID string          `json:"objectId"`
	Data     json.RawMessage `json:"data"`
}

const tolerance = 5 * time.Minute

// VerifyWebhook returns the event of a delivery whose signature is valid, by Standard Webhooks. The body has the bytes
// before any parsing. There are several secrets while one replaces the other.
func VerifyWebhook(body []byte, headers http.Header, secrets ...string) (*Event, error) {
	id, moment := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	signatures := strings.Fields(headers.Get("webhook-signature"))
	if id == "" || len(signatures) == 0 {
		return nil, errors.New("a header webhook-id or webhook-signature is missing")
	}
	seconds, err := strconv.ParseInt(moment, 10, 64)
	if err != nil {
		return nil, errors.New("webhook-timestamp is not a number of seconds")
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return nil, errors.New("webhook-timestamp is not within 5 minutes")
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return nil, err
		}
		code := hmac.New(sha256.New, key)
		code.Write([]byte(id + "." + moment + "."))
		code.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(code.Sum(nil)))
		for _, signature := range signatures {
			if hmac.Equal(expected, []byte(signature)) {
				event := &Event{}
				return event, json.Unmarshal(body, event)
			}
		}
	}
	return nil, errors.New("no signature is valid for one of the secrets")
}
