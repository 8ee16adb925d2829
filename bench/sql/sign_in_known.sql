\set turn :turn + 1
\set number :base + :client_id * 1000000000 + :turn
\set next :number + 1
\set person random(1, :people)
select outcome, spent_position, account_id, identity_id, display_name, email, email_proved, account_created, holders::text
  from sign_in('apple', 'TEAM123456', '001999.pgbench.' || :person, 'pgbench' || :person || '@example.com',
               array[sha256(int8send(:number))], array[4102444800], null, null, null,
               row(lpad(:number::text, 32, '0')::uuid, 'app', 'apple', sha256(int8send(:next)), now(), array['fed'], '1',
                   2592000, 7776000, null, '127.0.0.1', 'pgbench', lpad(:number::text, 32, '0'))::session_request);
