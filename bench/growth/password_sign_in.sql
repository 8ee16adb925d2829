\set turn :turn + 1
\set number :base + :client_id * 1000000000 + :turn
\set person random(1, :people)
select wait, account_id, status, password_state, hash, sign_up, sign_up_hash, place, bucket, spent, has_srp
  from begin_password_sign_in('email', 'pgbench' || :person || '@example.com', 'app',
                              array[substr(sha256(int8send(:person)), 1, 16), substr(sha256('app'), 1, 16)], array[10, 1000000]::bigint[], array[1, 1]::bigint[],
                              array[substr(sha256('network'), 1, 16)], array[1000000]::bigint[], array[1]::bigint[], 10, 1,
                              null, '127.0.0.1', null, null, null);
select outcome, display_name, email, email_proved, account_created
  from finish_password_sign_in(lpad(:person::text, 32, '0')::uuid, (select hash from passwords where account_id = lpad(:person::text, 32, '0')::uuid),
                               null, '{}', '{}', '{}', null,
                               row(lpad(:number::text, 32, '0')::uuid, 'app', 'password', sha256(int8send(:number)), now(), array['pwd'], '1', 2592000, 7776000,
                                   null, '127.0.0.1', 'pgbench', lpad(:number::text, 32, '0'), null, false, 600, 15552000, 8,
                                   null::text[], null, null, true, null, null, null)::session_request,
                               '{"version": 1, "demanded": false, "proofs": [{"kind": "password"}], "language": ""}'::jsonb);
