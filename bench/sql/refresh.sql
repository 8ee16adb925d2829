\set chain :base + :client_id * 1000000000
\set number :chain + :turn
\set next :number + 1
select outcome, account_id, client_id, provider, auth_time, amr, acr, rotated_at, idle_expires_at
  from rotate_refresh_token(lpad(:chain::text, 32, '0')::uuid, :turn::integer, sha256(int8send(:number)),
                            sha256(int8send(:next)), 10, '127.0.0.1', lpad(:number::text, 32, '0'));
\set turn :turn + 1
