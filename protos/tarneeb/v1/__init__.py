"""Version 1 of the contract between referee and bot, generated from the .proto files here."""
