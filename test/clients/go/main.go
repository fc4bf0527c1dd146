// The program bills a customer for a plan and its usage, or checks the signature of a webhook.
//
//	URL=http://127.0.0.1:4000 KEY=sk_test_… go run . bill <price slug> <meter slug> <external id>
//	go run . verify <secret> <headers as JSON> < body
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
)

type object map[string]any

func bill(price, meter, externalID string) (any, error) {
	tollgate := Connect(os.Getenv("URL"), os.Getenv("KEY"))
	customer := object{"name": externalID, "email": externalID + "@example.com", "externalId": externalID}
	var created struct {
		Data struct{ Customer struct{ ID string } }
	}
	if err := tollgate.Post("/customers", object{"customer": customer}, "customer-"+externalID, &created); err != nil {
		return nil, err
	}
	customerID := created.Data.Customer.ID
	// In test mode the sandbox pays with this token.
	card := object{"customerId": customerID, "type": "card", "token": "sandbox_success"}
	if err := tollgate.Post("/payment-methods", object{"paymentMethod": card}, "", &object{}); err != nil {
		return nil, err
	}
	var subscribed struct{ Subscription struct{ ID, Status string } }
	wanted := object{"customerExternalId": externalID, "priceSlug": price}
	if err := tollgate.Post("/subscriptions", wanted, "", &subscribed); err != nil {
		return nil, err
	}
	events := []object{}
	for n := 1; n <= 3; n++ {
		events = append(events, object{
			"subscriptionId": subscribed.Subscription.ID, "usageMeterSlug": meter,
			"transactionId": fmt.Sprintf("%s-%d", externalID, n), "amount": 10,
		})
	}
	// A repeat of a transactionId records nothing.
	for range []int{1, 2} {
		if err := tollgate.Post("/usage-events/bulk", object{"usageEvents": events}, "", &object{}); err != nil {
			return nil, err
		}
	}
	var billing struct {
		Invoices []struct{ Invoice struct{ Status string } }
	}
	if err := tollgate.Get("/customers/"+externalID+"/billing", &billing); err != nil {
		return nil, err
	}
	var balances struct {
		UsageMeterBalances []struct{ AvailableBalance float64 }
	}
	if err := tollgate.Get("/customers/"+externalID+"/usage-balances", &balances); err != nil {
		return nil, err
	}
	statuses, available := []string{}, []float64{}
	for _, each := range billing.Invoices {
		statuses = append(statuses, each.Invoice.Status)
	}
	for _, each := range balances.UsageMeterBalances {
		available = append(available, each.AvailableBalance)
	}
	refusal := &Refusal{}
	if err := tollgate.Get("/customers/nobody", &object{}); !errors.As(err, &refusal) {
		return nil, fmt.Errorf("an unknown customer was read: %w", err)
	}
	return object{
		"customer": customerID, "subscription": subscribed.Subscription.Status, "invoices": statuses,
		"balances": available, "refusal": []any{refusal.Status, refusal.Code},
	}, nil
}

func verify(secret, headers string) (any, error) {
	given := map[string]string{}
	if err := json.Unmarshal([]byte(headers), &given); err != nil {
		return nil, err
	}
	received := http.Header{}
	for name, value := range given {
		received.Set(name, value)
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		return nil, err
	}
	event, err := VerifyWebhook(body, received, secret)
	if err != nil {
		return nil, err
	}
	return object{"type": event.Type, "objectId": event.ObjectID}, nil
}

func run(arguments []string) (any, error) {
	switch {
	case len(arguments) == 4 && arguments[0] == "bill":
		return bill(arguments[1], arguments[2], arguments[3])
	case len(arguments) == 3 && arguments[0] == "verify":
		return verify(arguments[1], arguments[2])
	default:
		return nil, errors.New("state bill <price> <meter> <external id>, or verify <secret> <headers>")
	}
}

func main() {
	answer, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		panic(err)
	}
}
