select action, outcome, provider, sum(count) from counted_events(date_trunc('hour', now() - interval '7 days')) group by 1, 2, 3;
