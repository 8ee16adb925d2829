select sweep_expired(5000, 3600, 86400, 3600, 2592000);
