-- Spends single-use values. `p_until` is the retention of each value: a positive Unix time, if the value states its
-- expiry; negative, if counted from now; 0, if the value is never accepted without the next one, which then is spent
-- alone. A spent value violates the key and aborts the statement (23505); `spent_position` finds it. Always returns
-- true, so that callers can use it in expressions. Three things have statements of their own: refresh tokens
-- (rotate_refresh_token), handover codes (redeem_handover_code) and the console's forms (`OperatorAccess/FormOnce.swift`).
-- Locks: spent (new), spent_codes (new). In the order given. The next caller with the same digest waits for this transaction.
-- Invariant: a single-use value is used once.
create or replace function spend(p_digests bytea[], p_until bigint[]) returns boolean language plpgsql as $$
declare
    carrier bytea;
begin
    for i in 1 .. coalesce(array_length(p_digests, 1), 0) loop
        if p_until[i] = 0 then
            carrier := p_digests[i];
            continue;
        elsif p_until[i] > 0 then
            insert into spent (expires_at, digest, beside) values (to_timestamp(p_until[i]), p_digests[i], carrier);
        else
            insert into spent_codes (digest, expires_at) values (p_digests[i], to_timestamp(-p_until[i]));
        end if;
        carrier := null;
    end loop;
    if carrier is not null then
        raise exception 'a credential beside nothing that is spent';
    end if;
    return true;
end $$;
