-- As many events as the batches will take, each of another account.
insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id)
select 'signed_in', 'done', 'known_identity', lpad((1 + n * 7919::bigint % :people)::text, 32, '0')::uuid, md5('sealed ' || n)::uuid, 'app', 'apple',
       '127.0.0.1', md5('sealed ' || n)
  from generate_series(1, :flows * 1000) n;
