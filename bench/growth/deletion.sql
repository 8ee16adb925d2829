select sweep_deletions(1, 'growth', 3600);
