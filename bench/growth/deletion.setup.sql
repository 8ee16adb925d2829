-- As many accounts whose deletion is due as there will be transactions: others in each run, from all over the table.
update accounts set deletion_requested_at = now(), deletion_due_at = now(), deletion_by = 'person'
 where id in (select lpad((1 + n * (:people / :flows) + :base / 1000000000000000 % 97)::text, 32, '0')::uuid
                from generate_series(0, :flows - 1) n);
analyze accounts;
