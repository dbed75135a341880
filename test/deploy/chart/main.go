// Reads manifests from standard input and decodes each as Kubernetes itself does, where a member that it does not know, or of
// another type, is an error. Kinds of others are named and left out.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	wrong := 0
	for {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		_, kind, err := decoder.Decode(text, nil, nil)
		switch {
		case err == nil:
			fmt.Printf("right: %s\n", kind.Kind)
		case runtime.IsNotRegisteredError(err):
			fmt.Printf("unknown: %v\n", err)
		case runtime.IsMissingKind(err) && len(text) < 200:
			// Comments alone, between two documents.
		default:
			fmt.Printf("wrong: %v\n", err)
			wrong++
		}
	}
	if wrong > 0 {
		os.Exit(1)
	}
}
