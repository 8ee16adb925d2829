select sweep_expired(5000, 3600, 86400, 3600, 2592000) + sweep_outbox(5000, 86400, 2592000) + sweep_provider_records(5000, 5184000) + sweep_changes(5000, 2592000);
