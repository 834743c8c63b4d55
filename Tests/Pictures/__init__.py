"""Pictures of the documents, made from what the programs print: `make pictures`."""
