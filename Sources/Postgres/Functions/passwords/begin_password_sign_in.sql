-- Charges a password attempt and finds the password of a name. Unknown and disabled accounts return the same shape. A
-- pending sign-up of this client with that name and a password is always looked up: a look-up for unknown names only
-- would reveal which names have an account.
-- An attempt from a known place of the account takes from the bucket of that place and from its networks
-- (`p_networks`). A stranger's takes from the name's and the app's buckets (`p_buckets`), and from the account's, which
-- all its names share. Beyond the account's budget the attempt is `spent`: it fails like a wrong password, because a wait
-- would tell that two names belong to one account. `bucket` is the account's.
-- `has_srp`: the name has its SRP verifier, sealed with the newest master key (`p_srp_seal`), or needs none.
-- Without a budget (`p_burst`) nothing is charged. A network over its limit is refused before the account's sessions are read.
-- Locks: *take_from_throttles, *give_back_to_throttles.
create or replace function begin_password_sign_in(
    p_kind text, p_key text, p_client text, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_networks bytea[], p_network_bursts bigint[], p_network_periods bigint[], p_burst bigint, p_period bigint,
    p_mark bytea, p_address text, p_srp_user uuid, p_srp_realm text, p_srp_seal bytea,
    out wait double precision, out account_id uuid, out status text, out password_state text, out hash text,
    out sign_up uuid, out sign_up_hash text, out place text, out bucket bytea, out spent boolean, out has_srp boolean)
language plpgsql as $$
declare
    found_account uuid := account_to_sign_in(p_kind, p_key);
begin
    wait := 0;
    spent := false;
    if p_burst is not null then
        place := case when p_mark is not null and is_known_device(found_account, p_mark) then 'device' end;
        if place is null then
            wait := wait_for_throttles(p_networks, p_network_bursts, p_network_periods);
            if wait > 0 then
                return;
            end if;
            place := known_place(found_account, null, p_address);
        end if;
        bucket := guess_bucket(found_account, 'password', place);
        if place is not null then
            wait := take_from_throttles(bucket || p_networks, p_burst || p_network_bursts, p_period || p_network_periods);
        else
            spent := bucket is not null and take_from_throttles(array[bucket], array[p_burst], array[p_period]) > 0;
            wait := take_from_throttles(p_buckets || p_networks, p_bursts || p_network_bursts, p_periods || p_network_periods);
            if wait > 0 and bucket is not null and not spent then
                perform give_back_to_throttles(array[bucket], array[p_period]);
            end if;
        end if;
        if wait > 0 then
            return;
        end if;
    end if;
    select a.id, a.status, a.password_state, w.hash,
           p_srp_user is null or exists (select from srp_verifiers v where v.user_id = p_srp_user and v.realm = p_srp_realm
                                            and v.account_id = a.id and v.hash = w.hash
                                            and substr(v.sealed, 1, length(p_srp_seal)) = p_srp_seal)
      into account_id, status, password_state, hash, has_srp
      from accounts a left join passwords w on w.account_id = a.id
     where a.id = found_account;
    select f.id, f.state->'password'->>'hash' into sign_up, sign_up_hash from flows f
     where f.kind = 'sign_up' and f.address_key = p_key and f.client_id = p_client and f.expires_at > now() and not f.proved
       and f.state->'password'->>'hash' is not null
     order by f.created_at desc limit 1;
end $$;
